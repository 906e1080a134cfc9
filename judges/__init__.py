"""The judge engine: load a suite, run it, get a typed report.

A library in its own right; it knows nothing of the command line in `scaffold`.
"""

__version__ = "0.1.0"
