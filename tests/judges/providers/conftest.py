"""The fixtures of the providers' tests."""

from fake_claude import fake_claude  # noqa: F401  (a fixture)
