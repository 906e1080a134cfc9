"""One headless session, run to its end: what was asked for, where its output lies, and how it ended."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryFile
from uuid import uuid4

from judges.core.errors import ProcessError
from judges.core.session import Isolation
from judges.providers.claude.client import Client
from judges.providers.claude.environment import allow_root, build_environ
from judges.providers.claude.folders import fill_workspace, keep_workspace, open_scratch
from judges.providers.process.run import Ended, Streams, run_program
from judges.providers.process.slots import Slots
from judges.providers.process.tree import Program, signal_name

STREAM, STDERR, WORKSPACE = "stream.jsonl", "stderr.txt", "workspace"
"""What a session leaves in its folder."""
LONGEST_ARGUMENT = 100_000
"""Bytes of a text on the command line; Linux takes 131,071."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSpec:
    """A session to run.

    `body` is what the user says. `project` is the project's root: what a session with isolation host runs in,
    unless there is a `workspace`, a folder that is copied; with isolation project, its settings are copied.
    `setting_sources` are those of the client (user, project, local); None is the default of the isolation:
    none, project, or the client's own. What is empty or None is left out of the command.
    """

    body: str
    project: Path
    model: str | None = None
    permission_mode: str = "default"
    allowed_tools: str = ""
    append_system_prompt: str = ""
    timeout_seconds: float = 120.0
    isolation: Isolation = Isolation.SEALED
    workspace: Path | None = None
    setting_sources: tuple[str, ...] | None = None
    plugin_dirs: tuple[Path, ...] = ()
    max_turns: int | None = None
    serial: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionResult:
    """How a session ended. `elapsed_ms` is the time from its start to the end of the client itself.

    `exit` is the exit code, or None where the `signal` of that name ended the client. A session that is
    `timed_out` or `interrupted` was made to end.
    """

    uuid: str
    claude_version: str
    started: datetime
    elapsed_ms: float
    exit: int | None
    signal: str | None
    timed_out: bool
    interrupted: bool


def run_session(
    spec: SessionSpec,
    folder: Path,
    client: Client,
    *,
    slots: Slots,
    stopped: Callable[[], bool] = lambda: False,
    prepare: Callable[[], None] = lambda: None,
) -> SessionResult:
    """Run a session, and leave its stream, standard error and workspace in a folder.

    It waits for a slot first, and calls `prepare` when it has one: then the folder is to be there. When time
    is up, when `stopped` says so, or at an interrupt of this thread, everything that the session has started
    is made to end. `judges.providers.claude.login.check_login` is to be called before the first one.

    Raises:
        ProcessError: the client cannot be started.
        RunError: the run was stopped before that.
        OSError: a file cannot be read or written.
    """
    with slots.slot(serial=spec.serial, stopped=stopped), open_scratch() as scratch:
        prepare()
        uuid, started = str(uuid4()), datetime.now(UTC)
        program, own = _prepare(spec, client, uuid, scratch)
        with (
            TemporaryFile() as body,
            (folder / STREAM).open("wb") as stream,
            (folder / STDERR).open("wb") as errors,
        ):
            body.write(spec.body.encode("utf-8", "surrogateescape"))
            body.seek(0)
            try:
                ended = run_program(
                    program,
                    Streams(body, stream, errors),
                    seconds=spec.timeout_seconds,
                    stopped=stopped,
                    scratch=scratch,
                )
            except OSError as error:
                raise ProcessError(f"{client.path} cannot be started: {error.strerror or error}") from error
        if own:
            keep_workspace(program.folder, folder / WORKSPACE)
    return _result(uuid, client, started, ended)


def session_arguments(spec: SessionSpec, uuid: str, scratch: Path) -> tuple[str, ...]:
    """Return the flags of a session; a text that is too long for one goes to a file in `scratch`."""
    flags = ["-p", "--output-format", "stream-json", "--verbose", "--permission-mode", spec.permission_mode]
    if spec.model:
        flags += ["--model", spec.model]
    if spec.allowed_tools:
        flags += ["--allowed-tools", spec.allowed_tools]
    if spec.append_system_prompt:
        flags += _append_system_prompt(spec.append_system_prompt, scratch)
    if spec.max_turns is not None:
        flags += ["--max-turns", str(spec.max_turns)]
    sources = _setting_sources(spec)
    if sources is not None:
        flags.append(f"--setting-sources={','.join(sources)}")
    if spec.isolation is Isolation.SEALED:
        flags.append("--strict-mcp-config")
    for plugin in spec.plugin_dirs:
        flags += ["--plugin-dir", str(plugin)]
    return *flags, "--session-id", uuid


def _setting_sources(spec: SessionSpec) -> tuple[str, ...] | None:
    if spec.setting_sources is not None or spec.isolation is Isolation.HOST:
        return spec.setting_sources
    return ("project",) if spec.isolation is Isolation.PROJECT else ()


def _append_system_prompt(text: str, scratch: Path) -> list[str]:
    data = text.encode("utf-8", "surrogateescape")
    if len(data) <= LONGEST_ARGUMENT and b"\0" not in data:
        return ["--append-system-prompt", text]
    file = scratch / "append-system-prompt.txt"
    file.write_bytes(data)
    return ["--append-system-prompt-file", str(file)]


def _prepare(spec: SessionSpec, client: Client, uuid: str, scratch: Path) -> tuple[Program, bool]:
    """Return the program to run, and whether in a working directory of its own, which is filled."""
    own = spec.isolation is not Isolation.HOST or spec.workspace is not None
    if own:
        settings = spec.project if spec.isolation is Isolation.PROJECT else None
        fill_workspace(scratch / "work", spec.workspace, settings)
    program = Program(
        arguments=(str(client.path), *session_arguments(spec, uuid, scratch)),
        folder=scratch / "work" if own else spec.project,
        environ={
            **build_environ(client.environ, spec.isolation, scratch),
            **allow_root(spec.permission_mode, spec.isolation),
        },
    )
    return program, own


def _result(uuid: str, client: Client, started: datetime, ended: Ended) -> SessionResult:
    signal = signal_name(ended.code)
    return SessionResult(
        uuid=uuid,
        claude_version=client.version,
        started=started,
        elapsed_ms=ended.elapsed_ms,
        exit=None if signal else ended.code,
        signal=signal,
        timed_out=ended.timed_out,
        interrupted=ended.interrupted,
    )
