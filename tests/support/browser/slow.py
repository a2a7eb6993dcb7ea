"""Answers that are overtaken on their way."""

from __future__ import annotations

import time

from playwright.sync_api import APIResponse, Page, Route

from tests.support.browser.chromium import PATIENCE


class Slow:
    """A way to the companion on which the first answer is late: all others overtake it."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.late: Route | None = None
        self.answer: APIResponse | None = None
        page.route(url, self._asked)

    def _asked(self, route: Route) -> None:
        if self.late is not None:
            route.continue_()
            return
        self.late = route
        self.answer = route.fetch()

    def wait(self) -> None:
        """Wait until that question is answered, for the state of that time."""
        until = time.monotonic() + PATIENCE / 1000
        while self.answer is None:
            if time.monotonic() > until:
                raise TimeoutError(
                    f"{self.page.url}: {self.late or 'nothing'} was asked for and not answered"
                )
            self.page.evaluate("new Promise(requestAnimationFrame)")

    def arrive(self) -> None:
        """Let the late answer arrive, and give the page the time to draw it."""
        late = self.late
        assert late is not None
        with self.page.expect_event("requestfinished", lambda request: request == late.request):
            late.fulfill(response=self.answer)
        self.page.evaluate("fetch('/api/table').then(answer => answer.json())")
