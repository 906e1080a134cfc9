"""The provider `claude-cli`: each call is a session of the client without tools, settings or memory."""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryFile

from judges.core.errors import ProviderError
from judges.core.row import excerpt
from judges.core.session import Isolation
from judges.providers.base import Completion, Request
from judges.providers.claude.client import Client
from judges.providers.claude.environment import build_environ, own_directories
from judges.providers.claude.folders import open_scratch
from judges.providers.claude.login import given_login
from judges.providers.claude.reply import read_reply
from judges.providers.endpoint import Endpoint
from judges.providers.failures import timeout_failure
from judges.providers.process.run import Ended, Streams, run_program
from judges.providers.process.slots import Slots
from judges.providers.process.tree import Program, describe_exit

MOST_BYTES = 64_000_000
"""Of output that is read."""
_TAIL_BYTES = 4000


class ClaudeCli:
    """Answers requests by the client. Safe to use from several threads.

    It is sealed off like a session; only where neither a key nor a token is set does it run with the user's
    own directories, for the login in them. `endpoint` is what messages name.
    """

    def __init__(self, client: Client, endpoint: Endpoint, slots: Slots) -> None:
        self._client = client
        self._endpoint = endpoint
        self._slots = slots
        self._isolation = Isolation.SEALED if given_login(client.environ) else Isolation.HOST

    def complete(self, request: Request) -> Completion:
        """Ask the model. Neither a temperature nor a schema can be sent.

        Raises:
            ProviderError: there was no answer, in time or at all, or the request has messages of the model.
        """
        system, text = _split(request, self._endpoint)
        with ExitStack() as stack:
            stack.enter_context(self._slots.slot())
            scratch = stack.enter_context(open_scratch())
            streams = Streams(*(stack.enter_context(TemporaryFile()) for _ in range(3)))
            streams.stdin.write(text.encode("utf-8", "surrogateescape"))
            streams.stdin.seek(0)
            program = self._program(request, system, scratch)
            ended = self._run(program, streams, scratch, request)
            completion = self._read(ended, streams, request)
        return replace(completion, latency_ms=ended.elapsed_ms)

    def _program(self, request: Request, system: str, scratch: Path) -> Program:
        """The system prompt is in a file: an argument is limited, and shown to every user of the machine."""
        file = scratch / "system-prompt.txt"
        file.write_bytes(system.encode("utf-8", "surrogateescape"))
        return Program(
            arguments=(str(self._client.path), *judge_arguments(request.model, file)),
            folder=scratch / "work",
            environ={
                **build_environ(self._client.environ, self._isolation, scratch),
                **_limits(request, scratch),
            },
        )

    def _run(self, program: Program, streams: Streams, scratch: Path, request: Request) -> Ended:
        try:
            ended = run_program(program, streams, seconds=request.timeout_seconds, scratch=scratch)
        except OSError as error:
            said = f"{self._client.path} cannot be started ({error.strerror or error})"
            raise ProviderError(f"{self._name(request)}: {said}") from error
        if ended.timed_out:
            raise timeout_failure(self._endpoint, request.model, request.timeout_seconds)
        return ended

    def _read(self, ended: Ended, streams: Streams, request: Request) -> Completion:
        streams.stdout.seek(0)
        output = streams.stdout.read(MOST_BYTES + 1)
        if len(output) > MOST_BYTES:
            raise ProviderError(f"{self._name(request)}: it printed more than {MOST_BYTES // 1_000_000} MB")
        completion = read_reply(output, self._endpoint, request.model)
        if completion is not None:
            return completion
        said = _tail(streams) or "it printed no result"
        raise ProviderError(
            f"{self._name(request)}: {self._client.path.name} {describe_exit(ended.code)} "
            f"without an answer ({excerpt(self._endpoint.mask(said))})",
            retryable=ended.code < 0,
        )

    def _name(self, request: Request) -> str:
        return self._endpoint.describe(request.model)


def judge_arguments(model: str, system_prompt: Path) -> tuple[str, ...]:
    """Return the flags of a call: no tools, no settings, nothing kept of it."""
    return (
        *("-p", "--output-format", "json", "--verbose"),
        *("--model", model),
        *("--tools", ""),
        *("--system-prompt-file", str(system_prompt)),
        "--setting-sources=",
        "--strict-mcp-config",
        "--no-session-persistence",
    )


def _limits(request: Request, scratch: Path) -> Mapping[str, str]:
    """Retries are the business of the layer around; `@file` in what is judged must not attach that file."""
    own = own_directories(scratch)
    limits = {
        "CLAUDE_CODE_MAX_RETRIES": "0",
        "CLAUDE_CODE_DISABLE_ATTACHMENTS": "1",
        "TMPDIR": own["TMPDIR"],
        "CLAUDE_CODE_TMPDIR": own["CLAUDE_CODE_TMPDIR"],
    }
    if request.max_tokens is not None:
        limits["CLAUDE_CODE_MAX_OUTPUT_TOKENS"] = str(request.max_tokens)
    return limits


def _split(request: Request, endpoint: Endpoint) -> tuple[str, str]:
    """Return the system prompt and what the user says; a `/` at its start would make it a command."""
    if any(message.role == "assistant" for message in request.messages):
        name = endpoint.describe(request.model)
        raise ProviderError(
            f"{name}: the client takes no earlier messages of the model. Name another provider."
        )
    system, user = (
        "\n\n".join(message.content for message in request.messages if message.role == role)
        for role in ("system", "user")
    )
    return system, f"\n{user}" if user.startswith("/") else user


def _tail(streams: Streams) -> str:
    """Return the last line of the standard error, else of the output."""
    for stream in (streams.stderr, streams.stdout):
        size = stream.seek(0, 2)
        stream.seek(max(0, size - _TAIL_BYTES))
        lines = stream.read().decode("utf-8", "replace").split("\n")
        if said := [line.strip() for line in lines if line.strip()]:
            return said[-1]
    return ""
