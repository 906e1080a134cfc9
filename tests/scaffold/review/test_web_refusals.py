"""Who the page lets in, what it refuses, and what every answer of it forbids."""

from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient
from review_client import HERE, SO, get, post, words
from werkzeug.test import TestResponse

from scaffold.review.web.app import MOST_BYTES
from scaffold.review.web.gate import HEADERS


def test_the_way_in(app: Flask) -> None:
    """The address with the token sets a cookie that no script and no other site gets, and loses the token."""
    client = app.test_client()
    path = {"PATH_INFO": "//item/greeting/1"}
    answer = client.get("/?token=secret&text=a+b", base_url=HERE, environ_overrides=path)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/item/greeting/1?text=a+b")
    cookie = answer.headers["Set-Cookie"]
    assert cookie == "scaffold-review-8000=secret; HttpOnly; Path=/; SameSite=Strict"
    start = get(client, "/")
    assert (start.status_code, start.headers["Location"]) == (303, SO)
    assert get(client, SO).status_code == 200


def stranger(client: FlaskClient) -> FlaskClient:
    """A browser that has not been let in."""
    return client.application.test_client()


Ask = Callable[[FlaskClient], TestResponse]
REFUSED: dict[str, tuple[int, Ask, str]] = {
    "a wrong cookie": (
        403,
        lambda it: get(stranger(it), SO, Cookie="scaffold-review-8000=secres"),
        "has not shown the token",
    ),
    "another port's cookie": (
        403,
        lambda it: get(stranger(it), SO, Cookie="scaffold-review-8001=secret"),
        "has not shown the token",
    ),
    "a wrong token": (
        403,
        lambda it: get(stranger(it), f"{SO}?token=Secret", Cookie="x=y"),
        "has not shown the token",
    ),
    "a file without the token": (
        403,
        lambda it: get(stranger(it), "/static/review.js", Cookie="x=y"),
        "has not shown the token",
    ),
    "a token to write with": (
        403,
        lambda it: it.post(f"{SO}/rate?token=secret", base_url=HERE, json={}),
        "Another page has sent this request",
    ),
    "a foreign host": (
        403,
        lambda it: it.get("/?token=secret", base_url="http://attacker.invalid:8000"),
        "not the address that the server listens on",
    ),
    "a foreign page": (
        403,
        lambda it: post(it, f"{SO}/rate", {}, Origin="https://attacker.invalid"),
        "Another page has sent this request",
    ),
    "a page of another port": (
        403,
        lambda it: post(it, f"{SO}/rate", {}, **{"Sec-Fetch-Site": "same-site"}),
        "Another page has sent this request",
    ),
    "a picture in a foreign page": (
        403,
        lambda it: get(it, SO, **{"Sec-Fetch-Site": "cross-site"}),
        "Another page has sent this request",
    ),
    "a form": (
        415,
        lambda it: it.post(f"{SO}/rate", base_url=HERE, data={"level-0": "1"}, headers={"Origin": HERE}),
        "Only JSON is read.",
    ),
    "JSON as text": (
        415,
        lambda it: it.post(
            f"{SO}/rate", base_url=HERE, data="{}", content_type="text/plain", headers={"Origin": HERE}
        ),
        "Only JSON is read.",
    ),
    "no JSON": (
        400,
        lambda it: it.post(
            f"{SO}/rate", base_url=HERE, data="{", content_type="application/json", headers={"Origin": HERE}
        ),
        "could not understand",
    ),
    "a list": (400, lambda it: post(it, f"{SO}/rate", ["x"]), "what it never sends (load it again)"),
    "numbers": (400, lambda it: post(it, f"{SO}/rate", {"level-0": 1}), "what it never sends"),
    "too much": (
        413,
        lambda it: post(it, f"{SO}/rate", {"state": "x" * MOST_BYTES}),
        "exceeds the capacity limit",
    ),
    "a read that is a step": (405, lambda it: get(it, f"{SO}/rate"), "not allowed"),
    "a step that is a read": (405, lambda it: post(it, SO, {}), "not allowed"),
    "questions about an address": (
        405,
        lambda it: it.options(f"{SO}/rate", base_url=HERE, headers={"Origin": HERE}),
        "not allowed",
    ),
    "no such address": (404, lambda it: get(it, "/nowhere"), "not found"),
    "no such result": (404, lambda it: get(it, "/item/greeting/3"), "The run has no such result."),
    "no such suite": (404, lambda it: get(it, "/item/other/1"), "The run has no such result."),
    "no number": (404, lambda it: get(it, "/item/greeting/-1"), "not found"),
    "no such result to act on": (
        404,
        lambda it: post(it, "/item/greeting/3/rate", {}),
        "The run has no such result.",
    ),
    "no such step": (404, lambda it: post(it, f"{SO}/delete", {}), "not found"),
    "a path": (404, lambda it: get(it, "/static/../app.py"), "not found"),
    "an encoded path": (404, lambda it: get(it, "/static/..%2f..%2fsession.py"), "not found"),
    "an absolute path": (404, lambda it: get(it, "/static//etc/passwd"), "not found"),
    "a path of a suite": (404, lambda it: get(it, "/item/../../1"), "not found"),
}


@pytest.mark.parametrize(("code", "ask", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_refusals(client: FlaskClient, code: int, ask: Ask, reason: str) -> None:
    """What is not to be answered is refused with a page that says why; nothing is kept, nothing is told."""
    answer = ask(client)
    assert (answer.status_code, reason in words(answer)) == (code, True), words(answer)
    assert "Traceback" not in answer.get_data(as_text=True)
    assert answer.headers["Content-Security-Policy"] == HEADERS["Content-Security-Policy"]
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("path", ["/", SO, "/static/review.js", "/static/review.css", "/nowhere"])
def test_headers(client: FlaskClient, path: str) -> None:
    """Every answer forbids what no page of ours needs."""
    with get(client, path) as answer:
        headers = answer.headers
    assert {name: headers[name] for name in HEADERS} == {
        "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
        "connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cache-Control": "no-store",
    }
