"""Which event loop the sends run on."""

import asyncio
import importlib
import sys
from collections.abc import Iterator

import pytest

from webhooks import event_loop


async def current() -> asyncio.AbstractEventLoop:
    return asyncio.get_running_loop()


@pytest.fixture
def _no_uvloop(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "uvloop", None)
        importlib.reload(event_loop)
        yield
    importlib.reload(event_loop)


def test_loop_is_uvloops_where_it_is_installed() -> None:
    uvloop = pytest.importorskip("uvloop")
    assert isinstance(event_loop.run(current()), uvloop.Loop)


@pytest.mark.usefixtures("_no_uvloop")
def test_loop_is_pythons_without_uvloop() -> None:
    assert type(event_loop.run(current())).__module__.startswith("asyncio")
