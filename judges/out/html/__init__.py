"""The HTML report: one file that needs no other, runs no script, and shows all that was tested as text."""
