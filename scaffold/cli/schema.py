"""`scaffold schema`: the JSON Schema of a file format."""

import click

FORMATS = {
    "prompt-meta": "a suite's prompt-meta.yaml",
    "cases": "a file of cases, in YAML or JSON; a line of one in JSON lines",
    "overrides": "overrides.yaml, people's corrections",
    "outputs": "a line of recorded outputs, for --outputs",
    "replay": "a line of recorded answers, for --judge replay:FILE",
    "ratings": "a line of ratings.jsonl, people's own scores",
    "qualifications": "qualifications.json, what judges are worth",
    "fixture": "the front matter of a *.fixture.md",
    "grid": "a *.grid.yaml",
    "models": "models.yaml, the models of grids",
    "tasks": "a line of a grid's tasks",
    "gated": ".omniscitus/gated.yaml, the registry of gated blocks",
    "config": ".omniscitus/config.yaml, the project's settings",
    "report": "the JSON report, as --json writes it",
}
"""What each format is of. A test holds the names to the engine's, which is not loaded for a help text."""


@click.command(short_help="Print the JSON Schema of a file format.")
@click.argument("name", type=click.Choice(list(FORMATS)), default="prompt-meta", metavar="[FORMAT]")
@click.option("--list", "only_list", is_flag=True, help="List the formats instead.")
def command(name: str, only_list: bool) -> None:
    """Print the JSON Schema of a file format.

    FORMAT is prompt-meta, for a suite's prompt-meta.yaml, unless given; --list names all. Editors that speak
    YAML use it for completion and checking, as `scaffold init` sets them up to:

        scaffold schema grid > grid.schema.json

    That of report is for programs: it describes what --json writes.
    """
    from judges.files.json_schema import render_schema

    if only_list:
        click.echo("\n".join(f"{each:<15} {words}" for each, words in FORMATS.items()))
    else:
        click.echo(render_schema(name), nl=False)
