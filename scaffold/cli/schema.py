"""`scaffold schema`: the JSON Schema of a file format."""

import json

import click


@click.command(short_help="Print the JSON Schema of a file format.")
def command() -> None:
    """Print the JSON Schema of prompt-meta.yaml.

    Editors that speak YAML use it for completion and checking:

        scaffold schema > prompt-meta.schema.json
    """
    from judges.files.json_schema import prompt_meta_schema

    click.echo(json.dumps(prompt_meta_schema(), indent=2))
