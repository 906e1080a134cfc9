"""Programs that are run with everything that they start, and of which nothing is left in the end.

Each has a supervisor, a small process of its own: so the trees of parallel sessions never mix, and all of
them end even when this process is killed.
"""
