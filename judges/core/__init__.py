"""The words of the engine as plain values: no I/O, and imports of nothing else in this project."""
