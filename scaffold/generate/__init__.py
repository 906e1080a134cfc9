"""From a few answers to the files of a new suite.

The text of the files is a cookiecutter template (`templates/`); here are the values it is filled with, and
the careful way of putting the result into a project.
"""
