"""Writes `docs/reference/` and `schemas/` from the program itself; `--check` only says if they are current.

python docs/generate.py [--check]
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import cleandoc
from pathlib import Path
from typing import Any, TypeAlias

import click

from judges.core.verdict import ExitCode
from judges.files.json_schema import (
    SCHEMAS,
    config_schema,
    fixture_schema,
    gated_schema,
    grid_schema,
    prompt_meta_schema,
    render_schema,
    report_schema,
    schema_file,
)
from scaffold.cli import cli

REFERENCE = Path(__file__).parent / "reference"
INTRODUCTIONS = Path(__file__).parent / "introductions"
"""How each page of a format begins, in Markdown: no page by itself."""
SCHEMA_FILES = Path(__file__).parents[1] / "schemas"
LEGACY = ("", "cases", "[]")  # the older shape, whose items are those of `cases.items[]`
NOTE = "<!-- Written by docs/generate.py. Do not edit: change the program, then run `make docs`. -->\n"

EXIT_CODES = {
    ExitCode.PASSED: "Every suite passed.",
    ExitCode.FAILED: "A suite failed; or ended as WARN (`--allow-warn` lets it pass) or as INCONCLUSIVE "
    "(`--allow-inconclusive`).",
    ExitCode.USAGE: "The command line or a file is wrong. Nothing was run; every mistake is listed.",
    ExitCode.UNMEASURED: "Something could not be measured or written: a judge that gave no usable reply, an "
    "endpoint that failed, a full disk. It is never counted as a failure, nor as a pass.",
    ExitCode.NOTHING_RUN: "Nothing was run: no suite, no case, or all were skipped. Reports that were "
    "asked for are written, with the suites as SKIP.",
    ExitCode.INTERNAL: "A defect of scaffold itself. `scaffold --debug …` shows the traceback.",
    ExitCode.INTERRUPTED: "Interrupted by Ctrl-C, or a question was answered with no.",
}
PRECEDENCE = (
    ExitCode.INTERRUPTED,
    ExitCode.USAGE,
    ExitCode.INTERNAL,
    ExitCode.UNMEASURED,
    ExitCode.FAILED,
    ExitCode.NOTHING_RUN,
    ExitCode.PASSED,
)
Schema: TypeAlias = Mapping[str, Any]


def render_cli() -> str:
    """Return the page of all commands and their subcommands: usage, help text, options."""
    context = click.Context(cli, info_name="scaffold", **cli.context_settings)
    return "\n".join([f"# Commands\n\n{NOTE}", *_commands(cli, context, "##")])


def _commands(command: click.Command, context: click.Context, level: str) -> Iterator[str]:
    """Yield the section of a command, then those of its subcommands in the order of its help text."""
    yield _command(command, context)
    if not isinstance(command, click.Group):
        return
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        inside = click.Context(inner, context, info_name=name)
        yield f"{level} {inside.command_path}\n"
        yield from _commands(inner, inside, f"{level}#")


def _command(command: click.Command, context: click.Context) -> str:
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    records = (parameter.get_help_record(context) for parameter in command.get_params(context))
    options = [(f"`{names}`", words) for names, words in filter(None, records) if words]
    return f"`{usage}`\n\n{cleandoc(command.help or '')}\n\n{_table(('option', 'meaning'), options)}"


def render_exit_codes() -> str:
    """Return the page of exit codes."""
    rows = [(str(code.value), code.name, EXIT_CODES[code]) for code in ExitCode]
    order = ", ".join(str(code.value) for code in PRECEDENCE)
    return (
        f"# Exit codes\n\n{NOTE}\n{_table(('code', 'name', 'when'), rows)}\n"
        f"Where several apply, the first of these counts: {order}.\n"
    )


def render_prompt_meta() -> str:
    """Return the page of all keys of `prompt-meta.yaml`."""
    return _format("prompt-meta.yaml", "prompt-meta", prompt_meta_schema())


def render_fixture() -> str:
    """Return the page of all keys of the front matter of a fixture."""
    return _format("*.fixture.md", "fixture", fixture_schema())


def render_grid() -> str:
    """Return the page of all keys of a grid."""
    return _format("*.grid.yaml", "grid", grid_schema())


def render_gated() -> str:
    """Return the page of all keys of an entry of `gated.yaml`."""
    page = _format("gated.yaml", "gated", gated_schema()["$defs"]["GatedSpec"])
    return page.replace("## The file", "## An entry")


def render_config() -> str:
    """Return the page of all keys of `config.yaml`."""
    return _format("config.yaml", "config", config_schema())


def render_report() -> str:
    """Return the page of all keys of the JSON report."""
    page = _format("The JSON report", "report", report_schema(), written=True)
    return page.replace("## The file", "## The report")


def _format(title: str, name: str, schema: Schema, *, written: bool = False) -> str:
    """Return the page of a file format, section by section; `written` is one that programs write."""
    introduction = (INTRODUCTIONS / f"{name}.txt").read_text(encoding="utf-8")
    parts = [f"# {title}\n\n{NOTE}", introduction]
    for section, titles in _group(_sections("", schema, schema)):
        if written:
            keys = _table(("key", "value", "there", "meaning"), list(_written_keys(section, schema)))
        else:
            keys = _table(("key", "value", "default", "meaning"), list(_keys(section, schema)))
        parts.append(f"## {_join(titles)}\n\n{section['description']}\n\n{keys}")
    return "\n".join(parts)


def _join(titles: Sequence[str]) -> str:
    return ", ".join(titles) if len(titles) <= 2 else f"{titles[0]} and {len(titles) - 1} like it"


def _group(sections: Iterator[tuple[str, Schema]]) -> Iterator[tuple[Schema, Sequence[str]]]:
    """Yield each mapping once, with the titles of all places where it stands."""
    titles: dict[int, dict[str, Schema]] = {}
    for title, section in sections:
        titles.setdefault(id(section), {})[title] = section
    for places in titles.values():
        yield next(iter(places.values())), list(places)


def _sections(path: str, section: Schema, root: Schema) -> Iterator[tuple[str, Schema]]:
    """Yield a mapping with its title, then those inside it, in the order of their keys."""
    yield _title(path, section), section
    for key, value in section["properties"].items():
        for form, inner in _forms(value, root):
            if "properties" in inner and (path, key, form) != LEGACY:
                yield from _sections(f"{path}.{key}{form}".lstrip("."), inner, root)


def _title(path: str, section: Schema) -> str:
    kind = section["properties"].get("type", {})
    which = f" with type `{kind['const']}`" if "const" in kind and "default" not in kind else ""
    return f"`{path}`{which}" if path else "The file"


def _forms(value: Schema, root: Schema) -> Iterator[tuple[str, Schema]]:
    """Yield what a value may be, but for null; a list gives its items, marked with `[]`."""
    if "$ref" in value:
        yield from _forms(root["$defs"][value["$ref"].rpartition("/")[2]], root)
    elif "items" in value:
        yield from ((f"[]{form}", inner) for form, inner in _forms(value["items"], root))
    elif isinstance(named := value.get("additionalProperties"), dict) and {"$ref", "anyOf"} & named.keys():
        yield from ((f".NAME{form}", inner) for form, inner in _forms(named, root))
    elif alternatives := value.get("anyOf") or value.get("oneOf"):
        for each in alternatives:
            yield from _forms(each, root)
    elif value.get("type") != "null":
        yield "", value


def _keys(section: Schema, root: Schema) -> Iterator[Sequence[str]]:
    required = section.get("required", ())
    for key, value in section["properties"].items():
        default = "" if key in required else _default(value)
        yield f"`{key}`", _type(value, root), default, _meaning(value, root)


def _written_keys(section: Schema, root: Schema) -> Iterator[Sequence[str]]:
    for key, value in section["properties"].items():
        there = "always" if key in section.get("required", ()) else "where it applies"
        null = " (or null)" if {"type": "null"} in value.get("anyOf", ()) else ""
        yield f"`{key}`", _type(value, root) + null, there, _meaning(value, root)


def _type(value: Schema, root: Schema) -> str:
    return " or ".join(dict.fromkeys(_held(form, inner) for form, inner in _forms(value, root)))


def _held(form: str, inner: Schema) -> str:
    words = _words(inner)
    holder = {"": "", "[]": "list of ", ".NAME": "mapping of names to "}[form]
    return f"{holder}{words}s" if holder and not words.endswith("`") else f"{holder}{words}"


def _words(value: Schema) -> str:
    if "const" in value or "enum" in value:
        allowed = value.get("enum") or [value["const"]]
        return ", ".join(f"`{'true' if each is True else each}`" for each in allowed)
    if isinstance(value.get("additionalProperties"), dict):
        return f"mapping of names to {_words(value['additionalProperties'])}"
    words = {"string": "text", "integer": "whole number", "object": "mapping"}
    kind = value.get("type", "anything")
    return f"{words.get(kind, kind)}{_bounds(value)}"


def _bounds(value: Schema) -> str:
    low, high = value.get("minimum"), value.get("maximum")
    if high is not None:
        return f", {low}..{high}" if low is not None else f", above 0, at most {high}"
    if low is not None:
        return f", {low} or more"
    return ", above 0" if "exclusiveMinimum" in value else ""


def _default(value: Schema) -> str:
    default = value.get("default")
    return "none" if default in (None, "", [], {}) else f"`{json.dumps(default, ensure_ascii=False)}`"


def _meaning(value: Schema, root: Schema) -> str:
    """A key's own words, else those of what it holds."""
    return value.get("description") or " ".join(
        dict.fromkeys(inner["description"] for _, inner in _forms(value, root))
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


PAGES: Mapping[str, Callable[[], str]] = {
    "cli.md": render_cli,
    "prompt-meta.md": render_prompt_meta,
    "fixture.md": render_fixture,
    "grid.md": render_grid,
    "gated.md": render_gated,
    "config.md": render_config,
    "report.md": render_report,
    "exit-codes.md": render_exit_codes,
}


def render_files() -> Iterator[tuple[Path, str]]:
    """Yield every file that is written, with its text."""
    yield from ((REFERENCE / name, render()) for name, render in PAGES.items())
    yield from ((SCHEMA_FILES / schema_file(name), render_schema(name)) for name in SCHEMAS)


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; exit 1 where a page is not current.")
def main(check: bool) -> None:
    """Write the reference pages, and the schemas for editors, from the program."""
    for path, text in render_files():
        current = path.exists() and path.read_text(encoding="utf-8") == text
        if check and not current:
            raise click.ClickException(f"{path} is not current: run `make docs` and commit what it writes")
        if not current:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
