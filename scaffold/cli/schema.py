"""`scaffold schema`: the JSON Schema of a file format."""

import json

import click

FORMATS = ("prompt-meta", "config")


@click.command(short_help="Print the JSON Schema of a file format.")
@click.argument("name", type=click.Choice(FORMATS), default=FORMATS[0], metavar="[FORMAT]")
def command(name: str) -> None:
    """Print the JSON Schema of a file format.

    FORMAT is prompt-meta, for a suite's prompt-meta.yaml (the default), or config, for a project's
    .omniscitus/config.yaml. Editors that speak YAML use it for completion and checking:

        scaffold schema > prompt-meta.schema.json
    """
    from judges.files.json_schema import config_schema, prompt_meta_schema

    schema = {"prompt-meta": prompt_meta_schema, "config": config_schema}[name]()
    click.echo(json.dumps(schema, indent=2))
