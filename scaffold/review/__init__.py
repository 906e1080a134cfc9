"""Reviewing scores: what the command line and the page share."""
