"""`scaffold show`: a run, one case of it whole, or exactly what the judge saw."""

import click


@click.command(short_help="Show one case of a run, or exactly what the judge saw.")
@click.argument("run", required=False)
@click.argument("case", required=False)
@click.option("--prompt", is_flag=True, help="Show the messages the judge saw, and its reply.")
@click.option("--suite", metavar="NAME", help="Only this suite of the run.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with nothing escaped or left out.")
def command(run: str | None, case: str | None, prompt: bool, suite: str | None, as_json: bool) -> None:
    """Show one case of a run, or exactly what the judge saw.

    RUN is the id or the path of a run; without it, the latest finished one. CASE is a case's ref; without it
    the run's table is shown. A single argument is a RUN if there is one of that name, else a CASE of the
    latest run.

    On a terminal, characters that would act on it are shown as escapes; --json prints everything as it was.
    """
    from scaffold.showing import show

    show(run, case, suite, prompt=prompt, as_json=as_json)
