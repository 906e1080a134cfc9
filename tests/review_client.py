"""A client of the page that reviews: what it asks for, and what it is told."""

import re
from html import unescape

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scaffold.review.web.gate import Gate

GATE = Gate("127.0.0.1", 8000, "secret")
HERE = "http://127.0.0.1:8000"
SO = "/item/greeting/1"


def get(client: FlaskClient, path: str, **headers: str) -> TestResponse:
    return client.get(path, base_url=HERE, headers={"Sec-Fetch-Site": "same-origin", **headers})


def post(client: FlaskClient, path: str, body: object, **headers: str) -> TestResponse:
    sent = {"Origin": HERE, "Sec-Fetch-Site": "same-origin", **headers}
    return client.post(path, base_url=HERE, json=body, headers=sent)


def words(answer: TestResponse) -> str:
    """What a page says, without its elements."""
    text = re.sub(r"<[^>]*>", " ", answer.get_data(as_text=True))
    return " ".join(unescape(text).split())


def news(answer: TestResponse) -> str:
    """What a page says about the last step."""
    found = re.search(r'<template id="news"[^>]*>(.*?)</template>', answer.get_data(as_text=True), re.DOTALL)
    return unescape(found[1]) if found else ""


def state(client: FlaskClient, path: str = SO) -> str:
    found = re.search(r'name="state" value="(\w+)"', get(client, path).get_data(as_text=True))
    assert found
    return found[1]


def turn(client: FlaskClient) -> str:
    found = re.search(r'name="turn" value="(\d+)"', get(client, SO).get_data(as_text=True))
    assert found
    return found[1]
