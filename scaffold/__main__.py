"""The way in. It imports nothing by itself that takes time: Ctrl-C is one word from the first moment on."""

import gc
import sys
from io import TextIOWrapper

_GARBAGE = 20_000
"""How many objects more than before make it worth to look for unused ones: of them a run leaves few."""
_INTERRUPTED = 130


def main() -> None:
    """Run the command line and exit."""
    gc.set_threshold(_GARBAGE)
    if isinstance(sys.stdout, TextIOWrapper):
        _take_any_text(sys.stdout)
    sys.exit(run(sys.argv[1:]))


def run(args: list[str]) -> int:
    """Run the command line with these arguments and return the exit code. Nothing is raised."""
    try:
        from scaffold import process

        return process.run(args)
    except KeyboardInterrupt:
        sys.stderr.write("\nInterrupted.\n")
        return _INTERRUPTED


def _take_any_text(output: TextIOWrapper) -> None:
    """Let an output hold whatever a model wrote: a file or a pipe as UTF-8, as all our files are.

    What a terminal of another encoding cannot show becomes an escape.
    """
    output.reconfigure(encoding=None if output.isatty() else "utf-8", errors="backslashreplace")


if __name__ == "__main__":
    main()
