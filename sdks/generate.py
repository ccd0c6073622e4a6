"""Writes the generated files of the SDKs from an OpenAPI document: `make sdks`.

generate.py DOCUMENT [--check] [--only LANGUAGE]

With --check nothing is written; a file that differs is named, and the exit code is 1.
"""

import argparse
import importlib
import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
# Each is a module of generators/ with `files(document, folder)`: path in the folder -> text.
# One line here and one module there are all that a further language needs.
LANGUAGES = ("python", "typescript", "php")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("document", type=Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--only", choices=LANGUAGES, help="one language instead of all")
    chosen = parser.parse_args(arguments)
    document = json.loads(chosen.document.read_text())
    different = []
    for language in [chosen.only] if chosen.only else LANGUAGES:
        folder = HERE / language
        made = importlib.import_module(f"generators.{language}").files(document, folder)
        for name, text in made.items():
            file = folder / name
            if file.is_file() and file.read_text() == text:
                continue
            different.append(file.relative_to(HERE))
            if not chosen.check:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
    for name in different:
        print(f"sdks/{name} " + ("differs from the document" if chosen.check else "is written"))
    if chosen.check and different:
        print("run make sdks")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
