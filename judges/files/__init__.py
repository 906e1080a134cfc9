"""Files to values and back, with positions in every error."""
