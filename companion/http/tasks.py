"""Run a coroutine at once, and make a task of it only if it has to wait."""

from __future__ import annotations

import asyncio
import types
from collections.abc import Coroutine, Generator
from typing import Any


def started(work: Coroutine[Any, Any, None]) -> asyncio.Task[None] | None:
    """Run `work` at once up to its first wait, and the rest as a task; return None if it never had to wait.

    Most sends end at once, unless the socket is full: no task and no turn of the loop for them. Python 3.12
    can start a task eagerly; this does so on 3.11 too, the Python of Raspberry Pi OS.
    """
    try:
        waits_for = work.send(None)
    except StopIteration:
        return None
    return asyncio.get_running_loop().create_task(_rest(work, waits_for))


async def _rest(work: Coroutine[Any, Any, None], waits_for: Any) -> None:
    """Run the rest of `work`, which waits for a future; if the future fails, so does `work`.

    Python 3.12 and later make no task of a generator, not even of one that can be awaited.
    """
    try:
        await _resumed(work, waits_for)
    finally:
        work.close()


@types.coroutine
def _resumed(work: Coroutine[Any, Any, None], waits_for: Any) -> Generator[Any, Any, None]:
    yield waits_for
    yield from work
