"""The fixtures of the end-to-end tests."""

from command_line import cli, project  # noqa: F401  (fixtures)
from tsx import node_modules  # noqa: F401  (a fixture)
