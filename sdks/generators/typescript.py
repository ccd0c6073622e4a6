"""The generated files of sdks/typescript: types by openapi-typescript, and the version.

openapi-typescript comes from npm, in the version that package-lock.json names.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from generators import document as read

HEADER = "// Generated from the OpenAPI document by `make sdks`: do not change it by hand.\n\n"
CACHE = Path(__file__).resolve().parents[2] / ".cache" / "sdks"
# Not asked for: a new merchant's request need not name what has a default.
OPTIONS = ("--default-non-nullable", "false")


def files(document: read.Document, folder: Path) -> dict[str, str]:
    version = read.version(document)
    return {
        "src/schema.ts": _schema(document, folder),
        "src/version.ts": f'{HEADER}export const VERSION = "{version}";\n',
        "package.json": with_version(folder / "package.json", version),
        "package-lock.json": with_version(folder / "package-lock.json", version),
    }


def tools(folder: Path) -> Path:
    """The programs of the package's devDependencies: node_modules/.bin, installed once."""
    lock = (folder / "package-lock.json").read_bytes()
    wanted = re.sub(rb'"version": "[^"]*"', b"", lock, count=2)  # the package's own version
    place = CACHE / f"node-{hashlib.sha256(wanted).hexdigest()[:16]}"
    if not place.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=CACHE))
        for name in ("package.json", "package-lock.json"):
            shutil.copy(folder / name, made)
        command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
        subprocess.run(command, cwd=made, check=True)
        try:
            os.rename(made, place)
        except OSError:  # another process was faster
            shutil.rmtree(made)
    return place / "node_modules" / ".bin"


def _schema(document: read.Document, folder: Path) -> str:
    with tempfile.TemporaryDirectory() as place:
        given, made = Path(place, "openapi.json"), Path(place, "schema.ts")
        given.write_text(json.dumps(_types_only(document)))
        command = [tools(folder) / "openapi-typescript", given, *OPTIONS, "--output", made]
        subprocess.run(command, check=True, capture_output=True)
        _comment, _start, code = made.read_text().partition("export interface paths")
        return f"{HEADER}export interface paths{code}"


def _types_only(document: read.Document) -> read.Document:
    """Answers of success without examples and headers: a third of the lines."""
    small: read.Document = _without_examples(document)
    for item in small["paths"].values():
        for operation in item.values():
            answers = operation["responses"].items()
            operation["responses"] = {
                status: {name: part for name, part in answer.items() if name == "content"}
                | {"description": ""}
                for status, answer in answers
                if status.startswith("2")
            }
    kinds = read.events(document)
    schemas = small["components"]["schemas"]
    schemas["EventsByKind"] = {
        "type": "object",
        "required": list(kinds),
        "properties": {
            kind: {"$ref": f"#/components/schemas/{name}"} for kind, name in kinds.items()
        },
    }
    schemas["KnownErrorCode"] = {"type": "string", "enum": sorted(read.error_codes(document))}
    del small["webhooks"]
    return small


def _without_examples(value: object) -> object:
    if isinstance(value, list):
        return [_without_examples(each) for each in value]
    if not isinstance(value, dict):
        return value
    left_out = ("example", "examples", "x-codeSamples")
    return {name: _without_examples(item) for name, item in value.items() if name not in left_out}


def with_version(file: Path, version: str) -> str:
    """Also of a lock file, whose second own version is under packages."""
    content = json.loads(file.read_text())
    content["version"] = version
    if own := content.get("packages", {}).get(""):
        own["version"] = version
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"
