"""`scaffold doctor`: is everything there that the project needs."""

from pathlib import Path

import click

from judges.core.verdict import ExitCode


@click.command(short_help="Say what is missing here, and how to get it.")
@click.option("--offline", is_flag=True, help="Ask no judge, and spend nothing.")
@click.option("--models", is_flag=True, help="List all models with a known price, and what they take.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(offline: bool, models: bool, as_json: bool) -> ExitCode:
    """Say what is missing here, and how to get it.

    Looks at the project and its suites, keys (whether they are set; no part of one is shown), the models that
    the suites name with their prices and parameters, the programs that runners and fixtures need, and the
    cache. Every judge that can be connected to is asked one tiny question, for a fraction of a cent; what it
    cost is printed.

    The exit code is 0 when all is there that the project needs, 2 when something is missing.
    """
    from scaffold.doctor.examine import examine, examine_known_models
    from scaffold.doctor.finding import encode_examination, render_examination
    from scaffold.printing import print_json
    from scaffold.terminal import terminal_width

    examination = examine_known_models() if models else examine(Path.cwd(), offline=offline)
    if as_json:
        print_json(encode_examination(examination))
    else:
        click.echo(render_examination(examination, width=terminal_width()), nl=False)
    return examination.exit_code
