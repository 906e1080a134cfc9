"""Models on this machine, without a key or a network: the optional extra `local`.

A model is served by a child process with OpenAI's API on loopback; beside each answer stand the probabilities
that its log-probabilities give.
"""
