"""`scaffold schema`: the JSON Schema of a file format."""

import json

import click


@click.command(short_help="Print the JSON Schema of a file format.")
def command() -> None:
    """Print the JSON Schema of prompt-meta.yaml.

    Editors that speak YAML use it for completion and checking:

        scaffold schema > prompt-meta.schema.json
    """
    from judges.files.prompt_meta import PromptMeta

    schema = PromptMeta.model_json_schema(by_alias=True)
    click.echo(json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}, indent=2))
