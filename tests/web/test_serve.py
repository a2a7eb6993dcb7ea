"""Who waits for whom in the server: a decision for no page, a template for no second compilation."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from jinja2 import DictLoader

from companion.http.site import Site as App
from companion.store.journal import Journal
from tests.support.apps import create_app
from tests.support.client import PATIENCE_S
from tests.web.test_web import PIGS, Served, begun


@pytest.fixture
def site(journal: Journal) -> Iterator[Served]:
    served = Served(journal)
    yield served
    served.close()


def test_a_decision_does_not_wait_for_ten_phones_that_load_a_page(
    site: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a small machine a page takes a tenth of a second, and ten phones may ask for one at the same time."""
    begun(site)
    rendered, asked = threading.Event(), threading.Semaphore(0)

    def slow(*_: Any, **__: Any) -> str:
        asked.release()
        assert rendered.wait(PATIENCE_S)
        return "the page"

    monkeypatch.setattr("companion.web.app.render_template", slow)
    phones = [threading.Thread(target=site.get, args=("/watch",)) for _ in range(10)]
    for phone in phones:
        phone.start()
    try:
        assert asked.acquire(timeout=PATIENCE_S)  # one page is being rendered, the others wait
        site.decide(do="line-up", seat=0, order=PIGS)
        assert site.table["next"] == {"do": "play", "seats": [0]}
    finally:
        rendered.set()
        for phone in phones:
            phone.join(PATIENCE_S)


def test_a_template_that_several_threads_need_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its compilation takes half a second on a small machine, and again as long for each that does it too."""
    app, compiled, started = App(__name__), list[str](), threading.Barrier(3)
    env = app.jinja_env
    env.loader = DictLoader({"page.html": "a page"})
    whole = env.compile

    def compile_slowly(source: Any, name: Any = None, *more: Any, **other: Any) -> Any:
        compiled.append(name)
        time.sleep(0.05)  # time for the others to begin as well
        return whole(source, name, *more, **other)

    monkeypatch.setattr(env, "compile", compile_slowly)

    def load() -> None:
        started.wait(PATIENCE_S)
        env.get_template("page.html")

    threads = [threading.Thread(target=load) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert compiled == ["page.html"]


def test_a_served_app_has_the_templates_that_are_compiled_once(site: Served) -> None:
    assert type(create_app(site.owner).jinja_env) is App.jinja_environment
