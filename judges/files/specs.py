"""The documents that define a suite's evaluation in detail: read whole, within a budget of characters."""

from pathlib import PurePosixPath

from judges.core.errors import ConfigError, Problem
from judges.files.document import Loc
from judges.files.problems import gather, raise_any
from judges.files.prompt_meta import SpecsSpec
from judges.files.source import Source
from judges.files.text import read_text

LOC: Loc = ("specs", "pattern")
MOST_SIZES = 20


def read_specs(source: Source) -> dict[str, str]:
    """Return the text of each document by its path from the project root, in the order of the paths.

    Raises:
        ConfigError: no document matches, one cannot be read, or together they are longer than allowed.
    """
    spec = source.meta.specs
    if spec is None:
        return {}
    names = [
        name for name in source.find(spec.pattern, LOC, source.root) if not (source.root / name).is_dir()
    ]
    if not names:
        message = f"no document matches '{spec.pattern}'"
        raise source.document.error(LOC, message, f"it starts at {source.root}")
    problems: list[Problem] = []
    texts: dict[str, str] = {}
    for name in names:
        with gather(problems):
            texts[str(name)] = _read(name, source)
    raise_any(problems)
    _check_size(texts, spec, source)
    return texts


def _read(name: PurePosixPath, source: Source) -> str:
    path = source.resolve(str(name), LOC, source.root)
    try:
        return read_text(path)
    except ConfigError as error:
        raise source.document.blame(LOC, error) from None


def _check_size(texts: dict[str, str], spec: SpecsSpec, source: Source) -> None:
    """Refuse what is too much: a judge that is given a part would judge by a part of the rules."""
    sizes = sorted(((len(text), name) for name, text in texts.items()), reverse=True)
    total = sum(size for size, _ in sizes)
    if total <= spec.max_characters:
        return
    told = ", ".join(f"{name} {size:,}" for size, name in sizes[:MOST_SIZES])
    more = f" and {len(sizes) - MOST_SIZES:,} more" if len(sizes) > MOST_SIZES else ""
    raise source.document.error(
        LOC,
        f"the documents hold {total:,} characters, more than the {spec.max_characters:,} that the judge may "
        f"be given: {told}{more}",
        "narrow the pattern, or raise specs.max_characters",
    )
