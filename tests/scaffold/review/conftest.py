"""The page that reviews a small run, and who may see it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from review_client import GATE, HERE
from reviewed import build_pages, open_session, run_suite

from scaffold.review.web.app import build_app


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of three cases."""
    return run_suite(tmp_path)


@pytest.fixture
def app(run: Path) -> Flask:
    """The page of that run."""
    return build_app(build_pages(open_session(run)), GATE)


@pytest.fixture
def client(app: Flask) -> Iterator[FlaskClient]:
    """A browser that has been let in."""
    with app.test_client() as client:
        assert client.get("/?token=secret", base_url=HERE).status_code == 303
        yield client
