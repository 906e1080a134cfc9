"""Checks that need no judge: an output in, a row out."""
