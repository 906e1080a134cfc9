"""The `claude` command line client: its headless sessions, and the provider `claude-cli` that judges with it.

A session is a program on this machine with everything that it starts: it runs in folders of its own, its
output goes to files, and nothing of it is left running. What a session said is read elsewhere.
"""
