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
    schema_file,
)
from scaffold.cli import cli

REFERENCE = Path(__file__).parent / "reference"
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
    ExitCode.NOTHING_RUN: "Nothing was run: no suite, no case, or all were skipped.",
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
PROMPT_META = """\
A key whose default is empty is required. Unknown keys are refused; keys that start with `x-` are free.
`scaffold schema` prints the same as a JSON Schema.
"""

CONFIG = """\
`.omniscitus/config.yaml` holds what is the same for all suites of a project. Every key may be left out, and
so may the file. An option on the command line goes before the suite, the suite before this file, and this
file before the environment (`OPENAI_BASE_URL`, `ANTHROPIC_BASE_URL`). Keys of models are never written here:
they come from the environment, or from the `config:` file of a suite.

```yaml
judge: openai:gpt-4.1
concurrency: 20
max_cost_usd: 2
base_url: {openai: "http://localhost:11434/v1"}
suites: [packages/chat/evals]
```

Unknown keys are refused; keys that start with `x-` are free. `scaffold schema config` prints the same as a
JSON Schema.
"""

FIXTURE = """\
A fixture is one Markdown file, NAME.fixture.md: a front matter of YAML between two lines `---`, and below the
heading `# Prompt body` the prompt of a headless `claude -p` session.

```markdown
---
name: smoke-echo
model: claude-haiku-4-5
runs: 3
allowed_tools: Bash
pass_conditions:
  run: {must_succeed: true}
  tool_calls: {required: [Bash]}
  result: {must_match: {pattern: "STATUS: OK", case_sensitive: true}}
---
# Prompt body

Use the Bash tool once to run: `echo hello`. Then answer with the line: STATUS: OK
```

The prompt is sent word for word: all after the first such heading, but for one blank line right after it, and
with LF for CRLF. Nothing is filled in: a prompt that holds `<<<` or `<PLACEHOLDER>` is refused. What stands
between the front matter and the heading is not sent.

Every condition is one row of the report. `runs` says how many replicas of the session there are, and `quorum`
how many of them must pass a row. A pattern is always a mapping of `pattern`, a JavaScript regular expression,
and `case_sensitive`.

A key whose default is empty is required. Unknown keys are refused; keys that start with `x-` are free.
`scaffold schema fixture` prints the same as a JSON Schema.
"""

GRID = """\
A grid is one YAML file, NAME.grid.yaml: it gives the same tasks to every arm and every model, a few times,
and says which arm does better than the control. All paths start at the folder of the file.

```yaml
name: go-routing
arms:
  baseline: {prompt: prompts/go-baseline.txt, control: true}
  skill:    {prompt: prompts/go-skill.txt, projected_from: go-routing}
models: models.yaml
tasks: tasks/go-routing.jsonl
labels: enums/go-routes.json
repeat: 3
measure: label
```

In a prompt `{{input}}`, and `{{name}}` of any other variable of the task, is replaced; all else is sent as it
stands. The file of models holds a list of names, or of mappings as `model` of prompt-meta.yaml, by itself or
under `models:`. The labels are a list in JSON or YAML, also as the only list of a mapping, or text with a
label a line; they differ by more than case.

Tasks are JSON lines: `input` (a text), or `vars` with all that the prompts name; for measure label
`golden_label`, one of the labels (it may stand among the vars); for measure score `expected_behavior` and
`reference`, if any, for the judge. An `id` is made of the first words of the input where there is none.

With measure score a `judge.md` beside the file is given to the judge, as beside a prompt-meta.yaml.

A key whose default is empty is required. Unknown keys are refused; keys that start with `x-` are free.
`scaffold schema grid` prints the same as a JSON Schema.
"""

GATED = """\
`.omniscitus/gated.yaml` is the registry of gated blocks: a list of entries, each of which says that a prompt
is a projection of a block of another file. `scaffold project` writes the prompts, `scaffold project --check`
holds them to their blocks, and an edit of a block can be gated (`scaffold gate`). All paths start at the
project's root, and stay inside it. JSON in a file named *.json is read as well, with `--registry FILE`.

```yaml
- source_file: commands/go.md
  block_id: go-routing
  target: go-routing
  projected_prompt_path: .omniscitus/tests/grids/go-routing/prompts/go-skill.txt
  template: .omniscitus/tests/grids/go-routing/prompts/go-skill.tmpl
```

In the source file the block stands between two markers, each once:

```
<!-- eval-gate:block:ID:start -->
…
<!-- eval-gate:block:ID:end -->
```

White space around the block is no part of it, and line ends count as LF. In the template `{{block}}`, which
must be there once, is replaced; all else stays as it is, such as the `{{input}}` of a grid's task. Without a
template the prompt is the block and a line end. Ids, targets and prompts are unique.

The block is measured by the grid with an arm that is `projected_from` its id, or whose prompt is the
projected one; of several, by the grid whose file is named after the target.

A key whose default is empty is required. Unknown keys are refused; keys that start with `x-` are free.
`scaffold schema gated` prints the same as a JSON Schema.
"""

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
    return _format("prompt-meta.yaml", PROMPT_META, prompt_meta_schema())


def render_fixture() -> str:
    """Return the page of all keys of the front matter of a fixture."""
    return _format("*.fixture.md", FIXTURE, fixture_schema())


def render_grid() -> str:
    """Return the page of all keys of a grid."""
    return _format("*.grid.yaml", GRID, grid_schema())


def render_gated() -> str:
    """Return the page of all keys of an entry of `gated.yaml`."""
    page = _format("gated.yaml", GATED, gated_schema()["$defs"]["GatedSpec"])
    return page.replace("## The file", "## An entry")


def render_config() -> str:
    """Return the page of all keys of `config.yaml`."""
    return _format("config.yaml", CONFIG, config_schema())


def _format(name: str, introduction: str, schema: Schema) -> str:
    """Return the page of a file format, section by section."""
    parts = [f"# {name}\n\n{NOTE}", introduction]
    for section, titles in _group(_sections("", schema, schema)):
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
    elif isinstance(named := value.get("additionalProperties"), dict) and "$ref" in named:
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
