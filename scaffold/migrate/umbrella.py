"""One file with several suites, `prompts: […]`: each suite with what they share and what is its own."""

from collections.abc import Iterator

from judges.files.document import Document
from judges.files.problems import found
from judges.files.prompt_meta import PromptMeta
from scaffold.generate.names import suggest_name
from scaffold.migrate.convert import Data, Draft, convert
from scaffold.migrate.paths import Paths

OWN = (*PromptMeta.model_fields, "pattern", "schema")
"""Keys of an entry that have a place in a suite; the others are kept under `x-…`."""

FILE_ONLY = ("prompts", "prompt_name")
"""Keys of the file that no single suite takes over."""


def split(document: Document, paths: Paths) -> Iterator[tuple[str, Draft]]:
    """Yield the suites of an umbrella, each with the name of a folder of its own.

    Raises:
        ConfigError: an entry is no mapping.
    """
    shared = {key: item for key, item in document.value.items() if key not in FILE_ONLY}
    taken: set[str] = set()
    for index, entry in enumerate(document.value["prompts"]):
        if not isinstance(entry, dict):
            raise document.error(("prompts", index), f"expected a mapping, found {found(entry)}")
        name = str(entry.get("name") or f"prompt-{index + 1}")
        folder = _free(suggest_name(name), taken)
        taken.add(folder)
        own = paths.below(folder, shared.get("test_root"))
        draft = convert(_merge(shared, entry, own), name, own.pattern, older=True)
        draft.value = _ordered(draft.value)
        draft.remarks = [f"{folder}: {remark}" for remark in draft.remarks]
        yield folder, draft


def _merge(shared: Data, entry: Data, paths: Paths) -> Data:
    """Return one suite as an older file of its own: what is shared, and before it what the entry says."""
    own = {key: item for key, item in entry.items() if key in OWN}
    free = {f"x-{key}": it for key, it in entry.items() if key not in (*OWN, "name") and it is not None}
    if isinstance(own.get("runner"), str):
        own["runner"] = paths.rebased(own["runner"])
    cases = own.get("cases")
    if isinstance(cases, dict) and isinstance(cases.get("pattern"), str):
        own["cases"] = {**cases, "pattern": paths.pattern(cases["pattern"])}
    return {**free, **shared, **own}


def _ordered(value: Data) -> Data:
    """Return the sections in their usual order, free ones last."""
    usual = [key for key in PromptMeta.model_fields if key in value]
    return {key: value[key] for key in (*usual, *(key for key in value if key not in usual))}


def _free(name: str, taken: set[str]) -> str:
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    return free
