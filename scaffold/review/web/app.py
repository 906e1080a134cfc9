"""The page as a Flask application: which address is what, who is let in, and what errors look like."""

import logging
from collections.abc import Callable
from importlib.resources import files
from typing import Any
from urllib.parse import urlencode

from flask import Flask, Response, redirect, render_template, request
from jinja2 import ChoiceLoader, PackageLoader, PrefixLoader, StrictUndefined
from werkzeug.exceptions import BadRequest, Forbidden, HTTPException, NotFound
from werkzeug.wrappers import Response as AnyResponse

from judges.core.errors import ConfigError
from judges.out.printable import printable_lines
from scaffold.review.web.actions import ACTIONS
from scaffold.review.web.gate import HEADERS, Gate, RefusedError
from scaffold.review.web.pages import Pages

MOST_BYTES = 64 * 1024
"""The longest body of a request."""

_TYPES = {"review.js": "text/javascript", "review.css": "text/css", "icon.svg": "image/svg+xml"}
_LOG = logging.getLogger(__name__)


def build_app(pages: Pages, gate: Gate, *, debug: bool = False) -> Flask:
    """Return the application; with `debug` the log has the traceback of a defect."""
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
    app.jinja_options = {
        "undefined": StrictUndefined,
        "finalize": _show,
        "trim_blocks": True,
        "lstrip_blocks": True,
    }
    shared = PrefixLoader({"report": PackageLoader("judges.out.html")})  # what both pages show alike
    app.jinja_loader = ChoiceLoader([PackageLoader("scaffold.review.web"), shared])
    app.url_map.merge_slashes = False
    result = "/item/<suite>/<int:number>"
    actions = f"{result}/<any({','.join(ACTIONS)}):action>"
    _route(app, "/", "GET", pages.start)
    _route(app, result, "GET", pages.item)
    _route(app, actions, "POST", pages.act)
    _route(app, "/undo", "POST", pages.undo)
    _route(app, "/static/<name>", "GET", asset)
    app.before_request(lambda: _let_in(gate))
    app.after_request(_finish)
    app.register_error_handler(Exception, lambda error: _explain(error, debug=debug))
    return app


def _route(app: Flask, rule: str, method: str, view: Callable[..., Any]) -> None:
    app.add_url_rule(rule, view.__name__, view, methods=[method], provide_automatic_options=False)


def asset(name: str) -> Response:
    """Return a file of ours; there are no others.

    Raises:
        NotFound: it is none of them.
    """
    if name not in _TYPES:
        raise NotFound
    data = files("scaffold.review.web").joinpath("static", name).read_bytes()
    return Response(data, mimetype=_TYPES[name])


def _let_in(gate: Gate) -> AnyResponse | None:
    """Let a request in; the token goes from the address into a cookie, and out of sight."""
    gate.check_host(request.headers.get("Host", ""))
    token = request.args.get("token")
    if request.method == "GET" and token is not None and gate.knows(token):
        rest = [(key, value) for key, value in request.args.items(multi=True) if key != "token"]
        path = "/" + request.path.lstrip("/")
        answer = redirect(f"{path}?{urlencode(rest)}" if rest else path, 303)
        answer.set_cookie(gate.cookie, gate.token, httponly=True, samesite="Strict")
        return answer
    gate.check_origin(dict(request.headers), writes=request.method not in ("GET", "HEAD"))
    if not gate.knows(request.cookies.get(gate.cookie, "")):
        raise RefusedError("This browser has not shown the token. Open the URL that the server printed.")
    return None


def _finish(answer: Response) -> Response:
    answer.headers.update(HEADERS)
    return answer


def _show(value: object) -> object:
    """Return what a template shows of a value: text with what is invisible in it made visible."""
    if hasattr(value, "__html__") or not isinstance(value, str):
        return value
    return printable_lines(value)


def _explain(error: Exception, *, debug: bool) -> tuple[str, int]:
    """Return the page of an error: what is wrong and what to do, and never a traceback."""
    message, code = _words(error)
    if code == 500:
        _LOG.error("%s %s: %s: %s", request.method, request.path, type(error).__name__, error, exc_info=debug)
    inside = not isinstance(error, RefusedError)
    return render_template("error.html", message=message, code=code, inside=inside), code


def _words(error: Exception) -> tuple[str, int]:
    match error:
        case RefusedError():
            return str(error), Forbidden.code
        case ConfigError():
            return "\n".join(str(each) for each in error.problems), BadRequest.code
        case HTTPException():
            return error.description or error.name, error.code or 500
        case OSError():
            return f"{error.strerror or error}: nothing is lost that was kept before.", 500
    return "This is a defect of scaffold, not of your files. The terminal says more.", 500
