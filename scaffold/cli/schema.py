"""`scaffold schema`: the JSON Schema of a file format."""

import json

import click

FORMATS = ("prompt-meta", "fixture", "grid", "gated", "config")


@click.command(short_help="Print the JSON Schema of a file format.")
@click.argument("name", type=click.Choice(FORMATS), default=FORMATS[0], metavar="[FORMAT]")
def command(name: str) -> None:
    """Print the JSON Schema of a file format.

    FORMAT is prompt-meta, for a suite's prompt-meta.yaml (the default), fixture, for the front matter of a
    *.fixture.md, grid, for a *.grid.yaml, or for a project's files in .omniscitus/: gated, for gated.yaml, or
    config, for config.yaml. Editors that speak YAML use it for completion and checking:

        scaffold schema > prompt-meta.schema.json
    """
    from judges.files import json_schema

    schemas = {
        "prompt-meta": json_schema.prompt_meta_schema,
        "fixture": json_schema.fixture_schema,
        "grid": json_schema.grid_schema,
        "gated": json_schema.gated_schema,
        "config": json_schema.config_schema,
    }
    click.echo(json.dumps(schemas[name](), indent=2))
