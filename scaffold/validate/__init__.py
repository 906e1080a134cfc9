"""Checks of suite files: one module for each kind of suite."""
