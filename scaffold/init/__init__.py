"""From a folder to a project that is tested in CI: settings, workflow, hooks, editors, commands.

What is there stays: files are made where they are missing, and some get what they lack.
"""
