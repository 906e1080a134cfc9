"""Reports as text: pure functions from values to text. Writing it anywhere is the caller's."""
