"""`scaffold calibrate`: how far a judge agrees with people."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from judges.core.verdict import ExitCode

if TYPE_CHECKING:
    from judges.run.calibrate import Calibrated

FILE = click.Path(dir_okay=False)


@click.command(short_help="Show how far the judge agrees with people.")
@click.argument("suite", required=False, metavar="[SUITE]")
@click.option(
    "--run", metavar="RUN", help="Take the judge's answers from this run.  [default: the latest finished one]"
)
@click.option("--judge", metavar="MODEL", help="Whom the run should tell of, instead of the suite's judge.")
@click.option(
    "--ratings",
    type=FILE,
    metavar="FILE",
    help="Read ratings from FILE.  [default: ratings.jsonl of the suite]",
)
@click.option("--blind-only", is_flag=True, help="Only ratings given without sight of what a judge had said.")
@click.option(
    "--json",
    "json_file",
    type=click.Path(dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Write all figures as JSON; - prints them in place of the table.",
)
@click.option("--svg", "svg_file", type=FILE, metavar="FILE", help="Draw judge against people, by criterion.")
@click.option("--allow-inconclusive", is_flag=True, help="Exit 0 when there are too few ratings.")
@click.option("--allow-outside", is_flag=True, help="Let the suite name files outside the project.")
def command(
    suite: str | None, json_file: str | None, svg_file: str | None, allow_inconclusive: bool, **flags: Any
) -> ExitCode:
    """Show how far the judge agrees with people.

    What the judge said in a finished run is held against what people said of the same outputs by the same
    rubrics: their ratings in ratings.jsonl of the suite, and its overrides. No model is asked. For all
    labels, each criterion and each category: n, quadratic weighted kappa with its 95 % interval, the share
    of equal levels and of those at most one apart, mean absolute error and bias in levels, Kendall's tau-b,
    and the share of the level that people gave most often. Where several people rated the same, how far they
    agree with each other. The pass rate is corrected for the judge's errors where it can be.

    With thresholds.min_agreement, a kappa, the suite says what the judge has to reach. When the judge, a
    rubric, judge.md or the engine's wording has changed since the run, it tells nothing of the judge there is
    now: run the suite again. Ratings hold for as long as the output and the rubric do.

    The exit code is 0 when the judge agrees as far as it has to, 1 when it does not or there are fewer than
    30 labels, 2 when a file or an option is wrong, 3 when the run is stale or answers are missing, 4 when
    there is nothing to compare.
    """
    from judges.core.verdict import exit_code
    from scaffold import calibrating
    from scaffold.config import build_environ, load_config

    path = calibrating.choose_suite(suite)
    loaded = calibrating.load(path, flags, build_environ(load_config(path)))
    found = calibrating.calibrate(loaded, flags)
    if found is None:
        click.echo(
            f"Nothing was compared: no finished run has '{loaded.name}'. Make one: scaffold run", err=True
        )
        return ExitCode.NOTHING_RUN
    _write(found, json_file, svg_file)
    return exit_code([found.verdict], allow_inconclusive=allow_inconclusive)


def _write(found: "Calibrated", json_file: str | None, svg_file: str | None) -> None:
    from judges.core.encode import encode_value, render_line
    from judges.files.whole import write_whole
    from judges.out.calibration import render_calibrated
    from judges.out.calibration_json import encode_calibrated
    from judges.out.calibration_plot import render_plot
    from scaffold.printing import print_json
    from scaffold.terminal import terminal_width

    encoded = encode_value(encode_calibrated(found))
    if json_file == "-":
        print_json(encoded)
    else:
        click.echo(render_calibrated(found, width=terminal_width()), nl=False)
    texts = {json_file: render_line(encoded) + "\n", svg_file: render_plot(found)}
    for name, text in texts.items():
        if name not in (None, "-"):
            with write_whole(Path(name)) as file:
                file.write(text)
