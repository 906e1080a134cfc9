"""Typed questions to a judge: how they are worded, and how the replies are read."""
