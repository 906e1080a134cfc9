"""Cases from logs: lines of several shapes become cases of a suite, and nothing else in it changes."""
