"""A deterministic check of `prompt-meta.yaml`, made into a function from an output to a row."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from judges.check.context import Assertion, CheckContext
from judges.check.javascript import js_rule
from judges.check.python import PREFIX, load_check
from judges.check.strategies import build_strategy
from judges.check.wording import describe
from judges.core.errors import ConfigError, RunError
from judges.core.row import Row, excerpt
from judges.core.verdict import Verdict
from judges.files.prompt_meta import DeterministicCheck, Severity

Check: TypeAlias = Callable[[CheckContext], Row]


def build_check(
    spec: DeterministicCheck, test_root: Path, root: Path, *, allow_outside: bool = False
) -> Check:
    """Return the check as a function, safe to use from several threads, that never raises.

    A file that the check names starts at `test_root` and stays inside the project's `root`.

    Raises:
        ConfigError: the rule or value cannot work. The problem's `key` is `rule` or `value`.
    """
    assertion = _build_assertion(spec, test_root, root, allow_outside=allow_outside)
    row_id = f"checks.{spec.name}"
    failed = Verdict.FAIL if spec.severity is Severity.ERROR else Verdict.WARN
    asked = _asked(spec)

    def check(context: CheckContext) -> Row:
        try:
            wrong = assertion(context)
        except RunError as error:
            reason = f"{spec.name} could not be checked: {error}"
            return Row(id=row_id, kind="checks", verdict=Verdict.ERROR, spec=asked, error=reason)
        if wrong is None:
            return Row(id=row_id, kind="checks", verdict=Verdict.PASS, spec=asked)
        sentence = f"{spec.name} failed: {wrong}"
        return Row(id=row_id, kind="checks", verdict=failed, spec=asked, actual_excerpt=sentence)

    return check


def _build_assertion(
    spec: DeterministicCheck, test_root: Path, root: Path, *, allow_outside: bool
) -> Assertion:
    try:
        if spec.strategy is not None:
            return build_strategy(spec.strategy, spec.value)
        rule = (spec.rule or "").strip()
        if rule.startswith(PREFIX):
            return load_check(rule, test_root, root, allow_outside=allow_outside)
        return _rule_assertion(rule)
    except ConfigError as error:
        key = "rule" if spec.strategy is None else "value"
        raise ConfigError(
            replace(problem, key=key, message=f"check '{spec.name}': {problem.message}")
            for problem in error.problems
        ) from None


def _rule_assertion(rule: str) -> Assertion:
    holds = js_rule(rule)
    shown = excerpt(" ".join(rule.split()))

    def check(context: CheckContext) -> str | None:
        return None if holds(context.output, context.input) else f"{shown}; {describe(context.output)}"

    return check


def _asked(spec: DeterministicCheck) -> dict[str, Any]:
    return spec.model_dump(mode="json", include={"rule", "strategy", "value", "severity"}, exclude_none=True)
