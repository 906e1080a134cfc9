"""The fixtures of the end-to-end tests."""

from command_line import cli, project  # noqa: F401  (fixtures)
from doctor_findings import install, seeing_judge  # noqa: F401  (fixtures)
from fixture_project import anthropic_judge, fixtures, notes, scripted_claude  # noqa: F401  (fixtures)
from gated_project import gated  # noqa: F401  (a fixture)
from grid_project import triage  # noqa: F401  (a fixture)
from labelling import models  # noqa: F401  (a fixture)
from plugin_project import ini, run_pytest, table_judge  # noqa: F401  (fixtures)
from regression_project import accepted, literal_judge  # noqa: F401  (fixtures)
from review_project import run_outputs  # noqa: F401  (a fixture)
from runner_project import kind_judge, write_runner  # noqa: F401  (fixtures)
from tsx import node_modules  # noqa: F401  (a fixture)
