"""Example values for a prompt's variables, chosen by the variable's name.

Four lists a kind, one a category. A case takes the value at its own position, so that neighbours differ.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from judges.core.case import Category

_LONG = " ".join(
    f"Paragraph {number}: the delivery was checked, counted and stored, and nothing unusual was found."
    for number in range(1, 41)
)
_SPECIAL = "Ünïcode “quotes”, <b>tags</b>, 100 % & \\backslashes\\, C:\\temp, 5 > 3, 🙂\nand a second line"
_NONSENSE = ("asdf qwer zxcv jkl", "%%% ~~~ ### 0000 ???", "blorp fnord wibble glorp")

Values = Mapping[Category, Sequence[Any]]


def _kind(element: Sequence[Any], mixed: Sequence[Any], edge: Sequence[Any], zero: Sequence[Any]) -> Values:
    return dict(zip(Category, (element, mixed, edge, zero), strict=True))


_TEXT = _kind(
    [
        "The museum opens at 10 a.m. and closes at 6 p.m. On Mondays it is closed.",
        "Our train left Bern with a delay of twelve minutes and still arrived on time.",
        "The recipe needs two eggs, 200 g of flour and a pinch of salt.",
        "Please send the signed contract back to us by Friday.",
        "The lamp stays dark although the switch is on and the bulb is new.",
    ],
    [
        "The museum is closed on Mondays. The café next door opens at 8 a.m., but only in summer.",
        "First the order arrived late, then a plate was broken, and the invoice names another customer.",
    ],
    ["", _LONG, _SPECIAL],
    _NONSENSE,
)
_KINDS: Mapping[str, Values] = {
    "language locale lang": _kind(
        ["English", "German", "Japanese"], ["English and French"], ["Swiss German"], ["Klorvish"]
    ),
    "name user customer author person recipient sender": _kind(
        ["Jane Miller", "Omar Haddad", "Yuki Tanaka"],
        ["Jane Miller and Omar Haddad"],
        ["Åsa Öberg-O'Neill"],
        ["12345 ???"],
    ),
    "email mail": _kind(
        ["jane@example.com", "omar@example.org"],
        ["jane@example.com, omar@example.org"],
        ["first.last+tag@sub.example.com"],
        ["not an address"],
    ),
    "question query ask request instruction task": _kind(
        [
            "How long does a parcel from Vienna to Oslo usually take?",
            "What is the difference between a bill and an invoice?",
            "Which documents do I need to rent a flat?",
            "How do I keep fresh basil alive in winter?",
        ],
        [
            "What does the annual ticket cost, and can I give it back after a month?",
            "Who signs the form, where do I send it, and how long does the answer take?",
        ],
        ["", f"{_LONG} What was found?", "WHAT??? is 5 > 3 && “why” 🙂"],
        _NONSENSE,
    ),
    "message comment review feedback complaint reply ticket": _kind(
        [
            "The headphones arrived today. The sound is great, but the left side crackles.",
            "Could you move my appointment to next Tuesday afternoon?",
            "Thank you for the quick help yesterday!",
            "I was charged twice for the same order.",
        ],
        [
            "Great shop, but the parcel was late. Also, please change my address to 5 Mill Lane.",
            "The app crashes on start, and apart from that I would like to cancel the premium plan.",
        ],
        ["", _LONG, _SPECIAL],
        _NONSENSE,
    ),
    "topic subject theme title keyword": _kind(
        ["how bees find their way home", "saving energy in an old house", "the history of the bicycle"],
        ["bees and the history of the bicycle"],
        ["", f"everything about: {_LONG}", "Ünïcode & <b>tags</b> in “titles”"],
        ["wibble glorp"],
    ),
    "date day deadline": _kind(
        ["2026-03-14", "2026-11-02"], ["2026-03-14 to 2026-03-20"], ["2028-02-29"], ["2026-13-45"]
    ),
    "number count amount age price limit length max min total n": _kind(
        [20, 5, 100], [50], [0, 1000000, -1], ["minus banana"]
    ),
    "list items tags keywords options names questions topics": _kind(
        [["apples", "bread", "milk"], ["red", "green", "blue"]],
        [["apples", "2 metres of rope", "call Jane"]],
        [[], [f"item {number}" for number in range(1, 101)], ["“quoted”", "<b>", "🙂"]],
        [["asdf", "%%%"]],
    ),
    "messages history conversation chat": _kind(
        [
            [
                {"role": "user", "content": "Hello, my order has not arrived yet."},
                {"role": "assistant", "content": "I am sorry. What is the order's number?"},
                {"role": "user", "content": "It is 1047."},
            ]
        ],
        [[{"role": "user", "content": "Where is my order, and how do I change my address?"}]],
        [[{"role": "user", "content": _SPECIAL}]],
        [[{"role": "user", "content": "asdf qwer zxcv jkl"}]],
    ),
    "code snippet source program": _kind(
        ["def double(x):\n    return x * 2", "for name in names:\n    print(name)"],
        ["def half(x):\n    return x / 2\n\nSELECT name FROM users;"],
        ["", "\n".join(f"x{number} = {number}" for number in range(1, 101)), "x = '“\\\\n🙂'  # <b>"],
        ["))((::: 0000"],
    ),
    "tone style mood": _kind(["friendly", "formal"], ["formal, but warm"], ["neutral"], ["purple"]),
    "country city place location": _kind(
        ["Norway", "Portugal"], ["Norway and Portugal"], ["Saint Kitts & Nevis"], ["Blorpland"]
    ),
    "shop store company brand business organization organisation vendor product item": _kind(
        ["Quillberry", "Northwind Teas", "Lamp & Shade"],
        ["Quillberry and Northwind Teas"],
        ["", _LONG, "Ünïcode & Söhne <Ltd.> 🙂"],
        ["%%% 0000"],
    ),
    "policy policies rule rules guideline guidelines terms conditions": _kind(
        [
            "Orders can be sent back within 30 days. We pay the postage. Gift cards are not taken back.",
            "Every answer names the source. Prices are given with tax. Nothing is promised for a date.",
        ],
        ["Orders can be sent back within 30 days. This does not hold for sale items, which are final."],
        ["", _LONG, _SPECIAL],
        _NONSENSE,
    ),
    "order invoice record account": _kind(
        ["No. 1047: 2 lamps, 58.00 EUR, sent on 2026-03-02", "No. 2210: 1 desk, 240.00 EUR, not sent yet"],
        ["No. 1047: 2 lamps, sent on 2026-03-02; 1 bulb, sent back on 2026-03-09"],
        ["", _LONG, _SPECIAL],
        ["No. ??: %%%"],
    ),
    "context document documents source sources passage facts knowledge background": _kind(
        [
            "The bridge was built in 1894. It is 120 m long and was closed to cars in 2011.",
            "The library lends books for four weeks. A loan can be extended twice, online or by phone.",
        ],
        ["The bridge was built in 1894. The library beside it, of 1920, lends books for four weeks."],
        ["", _LONG, _SPECIAL],
        _NONSENSE,
    ),
    "audience role persona reader": _kind(
        ["a school class", "new colleagues"], ["parents and teachers"], ["everybody"], ["wibble"]
    ),
    "url link website": _kind(
        ["https://example.com/help"],
        ["https://example.com/help and https://example.org"],
        ["https://example.com/a%20b?x=1&y=ü#z"],
        ["htp:/nowhere"],
    ),
}


def sample_input(variables: Sequence[str], category: Category, position: int) -> dict[str, Any]:
    """Return an example value for each variable; two of a kind differ, but where the case has a theme."""
    given: dict[str, Any] = {}
    seen: list[Values] = []
    for name in variables:
        kind = _find_kind(name)
        ahead = seen.count(kind) if category in (Category.ELEMENT, Category.MIXED) else 0
        given[name] = sample_value(name, category, position + ahead)
        seen.append(kind)
    return given


def sample_value(variable: str, category: Category, position: int) -> Any:
    """Return an example value for a variable; the last word of its name that is known decides the kind.

    "name" decides only where no other word does.
    """
    values = _find_kind(variable)[category]
    return values[position % len(values)]


def _find_kind(variable: str) -> Values:
    words = re.findall(r"[a-z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", variable).lower())
    last = [word for word in words if word == "name"]  # a shop's name is no person's
    ranked = [*(word for word in reversed(words) if word not in last), *last]
    kinds = (values for word in ranked for names, values in _KINDS.items() if word in names.split())
    return next(kinds, _TEXT)
