"""The judge engine: load a suite, run it, get a typed report.

A library in its own right; it knows nothing of the command line in `scaffold`. `judges.library` shows how it
is used. Every name below is imported when it is first asked for, so that `import judges` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from judges.core.case import Category as Category
    from judges.core.errors import ConfigError as ConfigError
    from judges.core.errors import ProviderError as ProviderError
    from judges.core.errors import RunError as RunError
    from judges.core.errors import ScaffoldError as ScaffoldError
    from judges.core.question import Answer as Answer
    from judges.core.question import Choice as Choice
    from judges.core.question import Predicate as Predicate
    from judges.core.question import Score as Score
    from judges.core.question import Unanswered as Unanswered
    from judges.core.report import CaseReport as CaseReport
    from judges.core.report import CriterionResult as CriterionResult
    from judges.core.report import Report as Report
    from judges.core.report import SuiteReport as SuiteReport
    from judges.core.report import Totals as Totals
    from judges.core.row import Notice as Notice
    from judges.core.row import Row as Row
    from judges.core.usage import Usage as Usage
    from judges.core.verdict import ExitCode as ExitCode
    from judges.core.verdict import Verdict as Verdict
    from judges.files.suite import PromptSuite as PromptSuite
    from judges.library import load_suite as load_suite
    from judges.library import run_suites as run_suites
    from judges.providers.base import Completion as Completion
    from judges.providers.base import Message as Message
    from judges.providers.base import Provider as Provider
    from judges.providers.base import Request as Request
    from judges.providers.base import Stop as Stop
    from judges.providers.budget import Budget as Budget
    from judges.providers.limit import Terms as Terms
    from judges.providers.scripted import ScriptedProvider as ScriptedProvider
    from judges.providers.store import Store as Store
    from judges.run.connections import Connections as Connections
    from judges.run.execute import Watch as Watch
    from judges.run.options import RunOptions as RunOptions
    from judges.run.options import Selection as Selection
else:
    _HOMES = {
        name: home
        for home, names in {
            "judges.core.case": ("Category",),
            "judges.core.errors": ("ConfigError", "ProviderError", "RunError", "ScaffoldError"),
            "judges.core.question": ("Answer", "Choice", "Predicate", "Score", "Unanswered"),
            "judges.core.report": ("CaseReport", "CriterionResult", "Report", "SuiteReport", "Totals"),
            "judges.core.row": ("Notice", "Row"),
            "judges.core.usage": ("Usage",),
            "judges.core.verdict": ("ExitCode", "Verdict"),
            "judges.files.suite": ("PromptSuite",),
            "judges.library": ("load_suite", "run_suites"),
            "judges.providers.base": ("Completion", "Message", "Provider", "Request", "Stop"),
            "judges.providers.budget": ("Budget",),
            "judges.providers.limit": ("Terms",),
            "judges.providers.scripted": ("ScriptedProvider",),
            "judges.providers.store": ("Store",),
            "judges.run.connections": ("Connections",),
            "judges.run.execute": ("Watch",),
            "judges.run.options": ("RunOptions", "Selection"),
        }.items()
        for name in names
    }
    __all__ = list(_HOMES)

    def __getattr__(name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module 'judges' has no attribute '{name}'")
        value = globals()[name] = getattr(import_module(_HOMES[name]), name)
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
