"""What the addresses of the page show and do.

All that a person sees follows from the files and the address, but for what has been seen of the judge. A step
at the page is a POST of JSON, whose answer is the same page as it is then.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from flask import redirect, render_template, request, url_for
from werkzeug.exceptions import NotFound, UnsupportedMediaType
from werkzeug.wrappers import Response

from judges.core.case import Category
from judges.core.verdict import Verdict
from judges.reduce.reasons import ReasonKind
from scaffold.review.web.actions import ACTIONS, read_body, read_turn
from scaffold.review.web.case_view import view_case
from scaffold.review.web.desk import ConflictError, Desk, state_of
from scaffold.review.web.filters import Filters, parse_filters
from scaffold.review.web.listing import Entry, Listing, show

_CHOICES = {"reasons_known": tuple(ReasonKind), "verdicts": tuple(Verdict), "categories": tuple(Category)}


class Pages:
    """What the addresses show and do, for one desk."""

    def __init__(self, desk: Desk, listing: Listing) -> None:
        self.desk = desk
        self.listing = listing

    def start(self) -> Response | str:
        """Go to the first result that is left to review."""
        self.listing.refresh()
        filters = parse_filters(request.args)
        chosen = self._choose(filters)
        if not chosen:
            return render_template("empty.html", **self._frame(filters, None))
        first = next((each for each in chosen if not each.item.reviewed), chosen[0])
        return redirect(_address(first.item.id, filters), 303)

    def item(self, suite: str, number: int) -> str:
        """Show one result."""
        return self._page(f"{suite}:{number}")

    def act(self, suite: str, number: int, action: str) -> tuple[str, int]:
        """Do something about a result, and show it as it is then."""
        item_id, body = f"{suite}:{number}", _read_json()
        self._entry(item_id)
        return self._answer(lambda: (item_id, ACTIONS[action](self.desk, item_id, body)))

    def undo(self) -> tuple[str, int]:
        """Take back the last step, and show the result that it was about."""
        turn = read_turn(_read_json())
        return self._answer(lambda: self.desk.undo(turn))

    def _answer(self, act: Callable[[], tuple[str, str]]) -> tuple[str, int]:
        try:
            item_id, said = act()
        except ConflictError as conflict:
            return self._page(conflict.item_id, str(conflict), refused=True), 409
        return self._page(item_id, said), 200

    def _page(self, item_id: str, said: str = "", *, refused: bool = False) -> str:
        self.listing.refresh()
        entry, filters = self._entry(item_id), parse_filters(request.args)
        item = self.desk.session.item(item_id)
        author = self.desk.session.author
        if filters.tell:
            self.desk.see(each.item.id for each in self._choose(filters))
        is_open = self.desk.open_judgement(item, author)
        lapsed = {each.criterion for each in entry.item.reasons if each.kind is ReasonKind.OVERRIDE}
        return render_template(
            "case.html",
            case=view_case(item, author, lapsed, is_open=is_open),
            state=state_of(item),
            reasons=self._reasons(entry),
            blind=not self.desk.has_seen(item_id),
            said=said,
            refused=refused,
            act=partial(_act, entry, filters),
            **self._frame(filters, entry),
        )

    def _choose(self, filters: Filters) -> list[Entry]:
        return self.listing.choose(filters, self.desk.has_seen)

    def _entry(self, item_id: str) -> Entry:
        try:
            return self.listing.entry(item_id)
        except KeyError:
            raise NotFound("The run has no such result.") from None

    def _frame(self, filters: Filters, current: Entry | None) -> Mapping[str, Any]:
        """Return what stands around a result."""
        session = self.desk.session
        page = request.args.get("page", type=int)
        done, queued = self.listing.progress()
        return {
            **_CHOICES,
            "run": session.suites[0].run if session.suites else "",
            "author": session.author,
            "suites": self.listing.suites,
            "filters": filters,
            "shown": show(self._choose(filters), current, page),
            "current": current,
            "done": done,
            "queued": queued,
            "last": self.desk.last,
            "turn": self.desk.turn,
            "address": _address,
            "has_seen": self.desk.has_seen,
            "reasons_of": self._reasons,
        }

    def _reasons(self, entry: Entry) -> list[tuple[str, str]]:
        """Return why a result is to be looked at; nothing before its judgement was seen, of which all tell.

        That it was drawn at random does, too: then nothing speaks against the judgement.
        """
        if not self.desk.has_seen(entry.item.id):
            return []
        said: dict[ReasonKind, list[str]] = {}
        for each in entry.reasons:
            said.setdefault(each.kind, []).extend([each.text] if each.kind is not ReasonKind.WARN else [])
        return [(kind.value.replace("_", " "), "; ".join(texts)) for kind, texts in said.items()]


def _address(item_id: str, filters: Filters, **more: Any) -> str:
    suite, _, number = item_id.rpartition(":")
    return url_for("item", suite=suite, number=int(number), **filters.query, **more)


def _act(entry: Entry, filters: Filters, action: str) -> str:
    """Return where a step about a result is sent."""
    item = entry.item
    return url_for("act", suite=item.suite, number=item.number, action=action, **filters.query)


def _read_json() -> Mapping[str, str]:
    if request.mimetype != "application/json":
        raise UnsupportedMediaType("Only JSON is read.")
    return read_body(request.get_json())
