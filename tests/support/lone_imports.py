"""Imports each module of the product alone, as a process: python -m tests.support.lone_imports.

Each module is imported by a fork of a process in which Django is set up and nothing more: the
console is not, because its admin modules import half of the product, and with it whatever a module
forgot. Prints {module: what was raised} as JSON, of those that failed.

Layer by layer, from below: modules never import a higher layer (import-linter), so the lower layers
are loaded before, which hides nothing and makes a fork ten times cheaper.
"""

import contextlib
import functools
import gc
import importlib
import json
import os
import pkgutil
import sys
import tomllib
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

ROOTS = ("config", "payments", "merchants", "webhooks")
PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"
CONSOLE, PLAIN = "config.apps.PasarelaAdminConfig", "django.contrib.admin.apps.SimpleAdminConfig"


def main() -> None:
    set_up()
    names = sorted(set(modules()) - set(sys.modules))  # the others were imported by the set-up
    # Libraries do not import the product: loaded once here, they make 500 forks cheap.
    for library in json.loads(in_fork(lambda: json.dumps(libraries_of(names)))):
        with contextlib.suppress(ImportError):  # some exist in sys.modules alone
            importlib.import_module(library)
    failed: dict[str, str] = {}
    for layer in layers():
        of_layer = [name for name in names if layer_of(name) in layer]
        gc.freeze()  # what a collection touches is copied into the fork
        found = {name: in_fork(lambda name=name: failure(name)) for name in of_layer}
        failed |= {name: error for name, error in found.items() if error}
        for name in of_layer:
            failure(name)
    print(json.dumps({"tried": names, "failed": failed}))


@functools.cache
def layers() -> list[set[str]]:
    """From below, as import-linter has them. What it does not name comes last."""
    contracts = tomllib.loads(PYPROJECT.read_text())["tool"]["importlinter"]["contracts"]
    rows = next(contract["layers"] for contract in contracts if "containers" not in contract)
    return [{name.strip() for name in row.split("|")} for row in reversed(rows)] + [{""}]


def layer_of(module: str) -> str:
    """The part of the name that a layer has. Empty if none has it."""
    named = {name for layer in layers() for name in layer}
    parts = module.split(".")
    return next((name for name in (".".join(parts[:2]), parts[0]) if name in named), "")


def set_up() -> None:
    import django
    from django.conf import settings

    assert CONSOLE in settings.INSTALLED_APPS
    settings.INSTALLED_APPS = [
        PLAIN if name == CONSOLE else name for name in settings.INSTALLED_APPS
    ]
    django.setup()


def modules() -> Iterator[str]:
    """All but programs, which act when they are imported, and migrations."""
    for root in ROOTS:
        yield root
        folder = importlib.util.find_spec(root).submodule_search_locations
        yield from _below(root, list(folder))


def _below(package: str, folders: list[str]) -> Iterator[str]:
    for found in pkgutil.iter_modules(folders):
        name = f"{package}.{found.name}"
        if found.name != "__main__":
            yield name
        if found.ispkg and found.name != "migrations":
            yield from _below(name, [os.path.join(folder, found.name) for folder in folders])


def libraries_of(names: list[str]) -> list[str]:
    """What the modules import of others."""
    before = set(sys.modules)
    for name in names:
        failure(name)
    new = (name for name in sys.modules if name not in before)
    return [name for name in new if name.partition(".")[0] not in (*ROOTS, "tests", "__mp_main__")]


def failure(name: str) -> str:
    """The end of the traceback; empty if there is none."""
    try:
        importlib.import_module(name)
    except Exception:
        return traceback.format_exc()[-1500:]
    return ""


def in_fork(work: Callable[[], str]) -> str:
    """What the work returns in a child; the process stays as it was."""
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(readable)
        with os.fdopen(writable, "w") as pipe:
            pipe.write(work())
        os._exit(0)
    os.close(writable)
    with os.fdopen(readable) as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    return text if status == 0 else text or f"ended with {os.waitstatus_to_exitcode(status)}"


if __name__ == "__main__":
    main()
