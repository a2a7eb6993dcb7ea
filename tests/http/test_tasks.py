"""`started` runs a coroutine at once up to its first wait, and the rest as a task, on every Python."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from companion.http.tasks import started


def test_what_never_waits_needs_no_task() -> None:
    async def main() -> None:
        done = []

        async def work() -> None:
            done.append("at once")

        assert started(work()) is None
        assert done == ["at once"]

    asyncio.run(main())


def test_the_rest_is_a_task_of_a_coroutine() -> None:
    """Python 3.12 and later refuse a task of a generator: each stream that paused ended there at its first pause."""

    async def main() -> None:
        gate, done = asyncio.get_running_loop().create_future(), []
        made: list[object] = []

        def remembered(loop: asyncio.AbstractEventLoop, work: Any, **more: Any) -> asyncio.Task[Any]:
            made.append(work)
            return asyncio.Task(work, loop=loop, **more)

        async def work() -> None:
            done.append("begun")
            await gate
            await asyncio.sleep(0)
            done.append("ended")

        asyncio.get_running_loop().set_task_factory(remembered)
        task = started(work())
        assert done == ["begun"]
        assert task is not None
        assert all(isinstance(work, Coroutine) for work in made)
        gate.set_result(None)
        await task
        assert done == ["begun", "ended"]

    asyncio.run(main())


def test_a_wait_that_fails_fails_the_task() -> None:
    async def main() -> None:
        gate: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        async def work() -> None:
            await gate

        task = started(work())
        assert task is not None
        gate.set_exception(OSError("the phone has gone"))
        with pytest.raises(OSError, match="gone"):
            await task

    asyncio.run(main())
