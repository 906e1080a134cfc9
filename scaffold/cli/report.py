"""`scaffold report`: runs as one HTML file to share."""

from pathlib import Path

import click


@click.command(short_help="Write runs as one HTML file to share.")
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@click.option(
    "--html", "html_file", type=click.Path(dir_okay=False), metavar="FILE", help="The file to write."
)
@click.option("--against", metavar="RUN", help="Show what changed since this run.")
def command(runs: tuple[str, ...], html_file: str | None, against: str | None) -> None:
    """Write runs as one HTML file to share.

    RUN is the id or the path of a run; without any, it is the latest finished one. Each has a section of its
    own: verdicts, the spread of scores, criteria, categories and models, how the suite ended in the last runs
    of the project, and every case with its input, output, rows and reasoning, failures first.

    The page is a single file that needs no network and runs no script. It holds the inputs and outputs of
    the cases: share it with those who may see them. Long texts are cut, with the command that prints the
    whole.
    """
    from judges.files.project import find_root
    from judges.files.whole import write_whole
    from judges.out.html.page import render_html
    from judges.run.reported import read_reported
    from judges.run.stored import find_run
    from scaffold.ci_outputs import check_writable

    if html_file is None:
        raise click.UsageError("Name the file to write, such as: scaffold report --html report.html")
    check_writable(html_file)
    root = find_root(Path.cwd())
    earlier = None if against is None else find_run(against, root)
    found = [read_reported(find_run(name, root), earlier) for name in runs or (None,)]
    path = Path(html_file)
    with write_whole(path) as file:
        file.writelines(render_html(found))
    names = ", ".join(each.report.name for each in found)
    click.echo(f"Wrote {path}, {path.stat().st_size / 1e6:.1f} MB: {names}")
