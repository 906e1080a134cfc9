"""`scaffold add-prompt --runner`: what it writes works as it is, with the real SDKs and the real tsx."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from command_line import Cli, Result
from loopback import Loopback, Reply, anthropic_text, openai_error, openai_text

SUITE = Path(".omniscitus/tests/prompts/demo")
KEYS = {"openai": "sk-openai-0123456789", "anthropic": "sk-ant-0123456789"}
RUNNERS = ["python", "typescript"]
MODELS = {"openai": "gpt-4.1-mini", "anthropic": "anthropic:claude-haiku-4-5"}

Add: TypeAlias = Callable[..., None]


@pytest.fixture(params=RUNNERS)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def add(request: pytest.FixtureRequest, tmp_path: Path, cli: Cli, language: str) -> Add:
    """Add a suite with a runner to an empty project, which is the working directory."""
    request.getfixturevalue("monkeypatch").chdir(tmp_path)
    if language == "typescript":
        (tmp_path / "node_modules").symlink_to(request.getfixturevalue("node_modules"))

    def call(*arguments: str) -> None:
        result = cli("add-prompt", "demo", "--runner", language, "--cases", "5", *arguments)
        assert (result.code, result.err) == (0, "")

    return call


@pytest.fixture
def asked(loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Play both vendors: the judge likes everything, the model under test echoes; return what it was sent."""
    prompts: list[Any] = []

    def answer(body: Any) -> Reply:
        if body["model"] == "gpt-4o":
            return openai_text(json.dumps(judgement(body)))
        prompts.append(body)
        said = f"You said: {body['messages'][-1]['content']}"
        return anthropic_text(said) if body["model"].startswith("claude") else openai_text(said)

    server = loopback(answer)
    for vendor, key in KEYS.items():
        monkeypatch.setenv(f"{vendor.upper()}_BASE_URL", server.url)
        monkeypatch.setenv(f"{vendor.upper()}_API_KEY", key)
    return prompts


def judgement(body: Any) -> dict[str, Any]:
    """The best answer to every question of a request to the judge."""
    schema = body["response_format"]["json_schema"]["schema"]
    best = {}
    for name, question in schema["properties"].items():
        choices = question["properties"]["answer"]["enum"]
        wanted = "NO" if name == "checks.no_hallucination" else "YES"
        best[name] = {"evidence": [], "reasoning": "", "answer": wanted if wanted in choices else choices[-1]}
    return best


def run(cli: Cli, *arguments: str) -> Result:
    return cli("run", "demo", "--json", "-", "--quiet", *arguments)


def cases(result: Result) -> list[Any]:
    found: list[Any] = result.report["suites"][0]["cases"]
    return found


@pytest.mark.parametrize("vendor", MODELS)
def test_works_as_it_is(cli: Cli, add: Add, asked: list[Any], vendor: str) -> None:
    """With a key the runner fills the prompt, asks the model, and reports text, tokens and time."""
    add("--model", MODELS[vendor])
    result = run(cli)
    assert [row["error"] for case in cases(result) for row in case["rows"] if row["error"]] == []
    assert {body["model"] for body in asked} == {MODELS[vendor].removeprefix("anthropic:")}
    prompt = Path(SUITE / "prompt.md").read_text("utf-8")
    head = prompt[: prompt.index("{notes}")]
    assert len(asked) == len(cases(result)) == 5
    for case in cases(result):
        assert case["output"].startswith(f"You said: {head}")
        assert "{notes}" not in case["output"]
    usage = result.report["usage"]
    assert (usage["calls"], usage["input_tokens"]) == (10, 1000)
    assert usage["cost_usd"] > 0
    (records,) = Path().glob(".omniscitus/runs/*/demo/records.jsonl")
    assert all(json.loads(line)["latency_ms"] > 0 for line in records.read_text("utf-8").splitlines())


def test_without_a_key(
    cli: Cli, add: Add, asked: list[Any], monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    """Without a key each case is an ERROR that says what to set and where own code goes."""
    add("--model", MODELS["anthropic"])
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    result = run(cli)
    file, kind = ("runner.py", "RuntimeError") if language == "python" else ("runner.ts", "Error")
    said = (
        f"{file}: {kind}: ANTHROPIC_API_KEY is not set: set it, or put your own code into produce() of {file}"
    )
    assert result.code == 3
    assert {case["rows"][0]["error"] for case in cases(result)} == {said}


def test_a_server_that_refuses(
    cli: Cli, add: Add, loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the model's server complains about is in the row; the key is not."""
    refusing = loopback(openai_error(401, f"Incorrect API key provided: {KEYS['openai']}"))
    add()
    (Path(SUITE) / ".env").write_text(f"OPENAI_BASE_URL={refusing.url}\nOPENAI_API_KEY={KEYS['openai']}\n")
    meta = SUITE / "prompt-meta.yaml"
    meta.write_text(meta.read_text("utf-8").replace("config: null", "config: .env"), "utf-8")
    result = run(cli)
    errors = {case["rows"][0]["error"] for case in cases(result)}
    assert result.code == 3
    assert all("401" in error and "Incorrect API key" in error for error in errors)
    assert KEYS["openai"] not in result.out


def test_own_code_first(cli: Cli, add: Add, asked: list[Any], language: str) -> None:
    """For source code every case says where to call it."""
    Path("reply.js").write_text("module.exports = (text) => text;\n")
    add("--target", "reply.js")
    errors = {case["rows"][0]["error"] for case in cases(run(cli))}
    file = "runner.py" if language == "python" else "runner.ts"
    (error,) = errors
    assert error.endswith(f"call reply.js in produce() of {file}")
    assert asked == []


def test_a_chat(cli: Cli, add: Add, asked: list[Any]) -> None:
    """A prompt without variables leads a chat: it is the system message, the case's messages follow."""
    Path("chat.md").write_text("You are kind.")
    add("--target", "chat.md")
    assert run(cli, "--category", "element").code in (0, 1)
    assert [body["messages"][0] for body in asked] == [{"role": "system", "content": "You are kind."}] * len(
        asked
    )
    assert all(body["messages"][1]["role"] == "user" for body in asked)


@pytest.mark.parametrize("language", ["typescript"], indirect=True)
@pytest.mark.parametrize("module", [True, False], ids=["ES modules", "CommonJS"])
def test_cases_in_typescript(cli: Cli, add: Add, asked: list[Any], module: bool) -> None:
    """The TypeScript runner reads cases from TypeScript files, in both kinds of packages."""
    Path("package.json").write_text(json.dumps({"type": "module"} if module else {}))
    add()
    meta = SUITE / "prompt-meta.yaml"
    text = meta.read_text("utf-8")
    head, tail = text[: text.index("cases:\n")], text[text.index("# --- Overrides") :]
    meta.write_text(f'{head}cases: {{source: external, pattern: "cases/**/*.ts"}}\n{tail}', "utf-8")
    (SUITE / "cases").mkdir()
    (SUITE / "cases" / "talk.ts").write_text(
        "type Case = { title: string; input: object };\n"
        'const make = (title: string): Case => ({ title, input: { notes: "n", question: title } });\n'
        'export default [make("One"), make("Two")];\n'
    )
    result = run(cli)
    assert [case["ref"] for case in cases(result)] == ["talk/one", "talk/two"]
    assert all(case["output"].startswith("You said: ") for case in cases(result))
