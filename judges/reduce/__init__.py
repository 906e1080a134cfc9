"""From answers and rows to verdicts. Pure: no clock, no environment, no I/O."""
