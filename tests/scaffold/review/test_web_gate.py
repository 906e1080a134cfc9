"""Who is let in."""

import pytest

from scaffold.review.web.gate import Gate, RefusedError

HOSTS = [
    ("127.0.0.1", "127.0.0.1:8000", True),
    ("127.0.0.1", "localhost:8000", True),
    ("127.0.0.1", "LOCALHOST:8000", True),
    ("127.0.0.1", "[::1]:8000", True),
    ("127.0.0.2", "127.0.0.2:8000", True),
    ("127.0.0.1", "127.0.0.1:8001", False),
    ("127.0.0.1", "127.0.0.1", False),
    ("127.0.0.1", "attacker.invalid:8000", False),
    ("127.0.0.1", "127.0.0.1.attacker.invalid:8000", False),
    ("127.0.0.1", "attacker.invalid@127.0.0.1:8000", False),
    ("127.0.0.1", "127.0.0.1:8000/x", False),
    ("127.0.0.1", "127.0.0.1:8000#", False),
    ("127.0.0.1", "127.0.0.1:x", False),
    ("127.0.0.1", "[127.0.0.1:8000", False),
    ("127.0.0.1", "192.0.2.1:8000", False),
    ("127.0.0.1", "", False),
    ("192.0.2.1", "192.0.2.1:8000", True),
    ("192.0.2.1", "localhost:8000", False),
    ("box.example", "box.example:8000", True),
    ("box.example", "attacker.invalid:8000", False),
    ("0.0.0.0", "192.0.2.1:9000", True),
    ("0.0.0.0", "localhost:8000", True),
    ("0.0.0.0", "attacker.invalid:8000", False),
    ("::", "[2001:db8::1]:8000", True),
]


@pytest.mark.parametrize(("bound", "host", "known"), HOSTS)
def test_hosts(bound: str, host: str, known: bool) -> None:
    """Only an address that the server listens on is known; a stranger's name that points here is not."""
    gate = Gate(bound, 8000)
    if known:
        gate.check_host(host)
    else:
        with pytest.raises(RefusedError, match="not the address that the server listens on"):
            gate.check_host(host)


HERE = "http://127.0.0.1:8000"
ORIGINS = [
    ("a link of our page", False, {"Sec-Fetch-Site": "same-origin"}, True),
    ("an address that was typed", False, {"Sec-Fetch-Site": "none"}, True),
    ("a client that says nothing", False, {}, True),
    ("a link of a stranger", False, {"Sec-Fetch-Site": "cross-site"}, False),
    ("another server of this machine", False, {"Sec-Fetch-Site": "same-site"}, False),
    ("a step at our page", True, {"Origin": HERE, "Sec-Fetch-Site": "same-origin"}, True),
    ("a step in an old browser", True, {"Origin": HERE}, True),
    ("a step without origin", True, {}, False),
    ("a stranger's step", True, {"Origin": "https://attacker.invalid"}, False),
    ("a step of another port", True, {"Origin": "http://127.0.0.1:8001"}, False),
    ("a sandboxed frame", True, {"Origin": "null"}, False),
    ("contrary headers", True, {"Origin": HERE, "Sec-Fetch-Site": "cross-site"}, False),
    ("a step that was typed", True, {"Origin": HERE, "Sec-Fetch-Site": "none"}, False),
]


@pytest.mark.parametrize(
    ("writes", "headers", "fine"), [pytest.param(*each[1:], id=each[0]) for each in ORIGINS]
)
def test_origins(writes: bool, headers: dict[str, str], fine: bool) -> None:
    """What changes anything comes from our own page; what is read may also come from the address bar."""
    gate, sent = Gate("127.0.0.1", 8000), {"Host": "127.0.0.1:8000", **headers}
    if fine:
        gate.check_origin(sent, writes=writes)
    else:
        with pytest.raises(RefusedError, match="Another page has sent this request"):
            gate.check_origin(sent, writes=writes)


@pytest.mark.parametrize("wrong", ["", "secret ", "Secret", "sécret", "secret\ud800", "\0"])
def test_the_token(wrong: str) -> None:
    """Nothing but the token is the token, which no representation shows."""
    gate = Gate("127.0.0.1", 8000, "secret")
    assert gate.knows("secret")
    assert not gate.knows(wrong)
    assert "secret" not in repr(gate)
    assert Gate("127.0.0.1", 8000).token != Gate("127.0.0.1", 8000).token


@pytest.mark.parametrize(
    ("host", "url", "local"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000/?token=t", True),
        ("localhost", "http://localhost:8000/?token=t", True),
        ("::1", "http://[::1]:8000/?token=t", True),
        ("0.0.0.0", "http://127.0.0.1:8000/?token=t", False),
        ("192.0.2.1", "http://192.0.2.1:8000/?token=t", False),
    ],
)
def test_the_address(host: str, url: str, local: bool) -> None:
    """The address works on this machine; what others can reach is known as such."""
    gate = Gate(host, 8000, "t")
    assert (gate.url, gate.is_local) == (url, local)
