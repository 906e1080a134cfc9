"""`scaffold judge`: try a rubric once, without a suite."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from judges.core.verdict import ExitCode

if TYPE_CHECKING:
    from scaffold.judging import Judged, Sample

STDIN = "standard input"
FILE_ENDINGS = (".md", ".txt", ".json")


class Given(NamedTuple):
    """A text of the command line, and the file it came from, if any."""

    text: str
    file: str | None = None


class TextOrFile(click.ParamType[Given]):
    """A text as it is, `@FILE` or the path of a file, or `-` for standard input."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> Given:
        """Return the text that is meant.

        Raises:
            ConfigError: a file cannot be read.
        """
        from judges.files.text import decode, display_path, read_text

        if value == "-":
            return Given(decode(self._read_stdin(param, ctx), Path(STDIN)), STDIN)
        path = Path(value.removeprefix("@"))
        if value.startswith("@") or self._is_path(value):
            return Given(read_text(path), display_path(path))
        return Given(value)

    def _is_path(self, value: str) -> bool:
        """What is one word with a file's ending is not taken for a text, even if the file is missing."""
        if value.endswith(FILE_ENDINGS) and not any(char.isspace() for char in value):
            return True
        try:
            return Path(value).is_file()
        except (OSError, ValueError):  # no path at all, such as a text longer than a file name may be
            return False

    def _read_stdin(self, param: click.Parameter | None, ctx: click.Context | None) -> bytes:
        if ctx is not None and ctx.meta.setdefault(STDIN, param) is not param:
            self.fail("standard input can be read only once; put one of the texts in a file", param, ctx)
        return sys.stdin.buffer.read()


TEXT = TextOrFile()


@click.command(short_help="Try a rubric once, without a suite.")
@click.option("--rubric", type=TEXT, required=True, metavar="R", help="What the levels mean.")
@click.option("--input", "input_", type=TEXT, metavar="I", help="What the output was made from.")
@click.option("--output", type=TEXT, required=True, metavar="O", help="What is judged.")
@click.option("--expected", type=TEXT, metavar="TEXT", help="What a good output does with this input.")
@click.option("--reference", type=TEXT, metavar="TEXT", help="One good output, shown to the judge.")
@click.option("--judge", metavar="MODEL", help="The model that judges.  [default: the project's, or gpt-4o]")
@click.option(
    "--scale",
    type=click.IntRange(2, 100),
    help="Levels run from 1 to this.  [default: the highest level that R describes, or 5]",
)
@click.option("--prompt", is_flag=True, help="Print what the judge would be sent; call nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(**given: Any) -> ExitCode:
    """Try a rubric once, without a suite.

    R, I, O and the other texts are a text, a file's path, @FILE, or - for standard input. R is a rubric as
    in a suite, with a line such as "5: Perfectly correct" for each level. If I is a JSON object, its keys are
    the variables of the input, which R can name as {variable}.

    Prints the chosen level, its percent (0 for level 1, 100 for the highest), the judge's reasoning and
    quotes, and what the call cost. Nothing is taken from the cache or kept. The exit code is 0 when there is
    an answer, 2 when an option, a file or a key is wrong, 3 when the judge gave no usable answer.
    """
    from scaffold import judging
    from scaffold.config import load_config

    sample = _read_sample(given)
    if given["prompt"]:
        _show_prompt(sample, as_json=given["as_json"])
        return ExitCode.PASSED
    config = load_config()
    name = given["judge"] or config.judge or judging.DEFAULTS.model
    judged = judging.Judged(name, sample, sample.ask(judging.open_judge(name, config)))
    _show(judged, as_json=given["as_json"])
    return ExitCode.PASSED if judged.level else ExitCode.UNMEASURED


def _read_sample(given: Mapping[str, Any]) -> "Sample":
    from judges.core.case import Case, Category
    from scaffold.judging import Sample, read_criterion

    rubric, expected, reference = given["rubric"], given["expected"], given["reference"]
    case = Case(
        ref="",
        title="",
        category=Category.ELEMENT,
        input=_variables(given["input_"]),
        expected_behavior=expected and expected.text,
        reference=reference and reference.text,
    )
    return Sample(read_criterion(rubric.text, given["scale"], rubric.file), case, given["output"].text)


def _variables(given: Given | None) -> Mapping[str, Any]:
    """The keys of a JSON object, else the text under a name of its own."""
    if given is None:
        return {}
    try:
        value = json.loads(given.text)
    except (ValueError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {"text": given.text}


def _show_prompt(sample: "Sample", *, as_json: bool) -> None:
    from judges.ask.render import render_messages
    from judges.out.printable import printable_lines, shield
    from scaffold.printing import print_json

    messages = render_messages(sample.questions, sample.evidence)
    if as_json:
        said = [{"role": message.role, "content": message.content} for message in messages]
        print_json(said)
        return
    for message in messages:
        click.echo(f"== {message.role} ==\n\n{shield(printable_lines(message.content))}\n")


def _show(judged: "Judged", *, as_json: bool) -> None:
    from judges.out.printable import printable
    from scaffold.judging import encode_judged, render_judged
    from scaffold.printing import print_json
    from scaffold.terminal import terminal_width

    if as_json:
        print_json(encode_judged(judged))
        return
    click.echo(render_judged(judged, width=terminal_width()), nl=False)
    for remark in judged.remarks:
        click.echo(f"Notice: {printable(remark)}", err=True)
