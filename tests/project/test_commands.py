"""The tools behind `make test-changed`, `make nightly` and the page on tests."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import grimp
import pytest

from tests.support.durations import QUICK
from tools import changed_tests, nightly, testing_page
from tools.nightly import Result, Step

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("companion", "tests", "bench", "tools", cache_dir=None)


@pytest.mark.parametrize(
    ("file", "wanted"),
    [
        ("companion/odds/luck.py", {"tests/odds", "tests/odds/test_luck.py"}),
        ("companion/settings.py", {"tests/test_settings.py"}),
        ("companion/web/course/course.js", {"tests/web", "tests/browser"}),
        ("companion/locale/fr/LC_MESSAGES/companion.po", {"tests/test_translate.py"}),
        ("firmware/scanner.py", {"tests/devices"}),
        ("hardware/tiers.py", {"tests/hardware"}),
        ("tests/support/hands.py", {"tests/system/test_evenings.py"}),
        ("tests/games/test_giro.py", {"tests/games/test_giro.py"}),
        ("docs/host.md", {"tests/project"}),
        ("Makefile", {"tests/project"}),
    ],
)
def test_a_change_brings_the_tests_of_its_room(file: str, wanted: set[str], graph: grimp.ImportGraph) -> None:
    assert wanted <= changed_tests.tests_of([file], graph)


def test_a_change_of_a_bot_does_not_bring_every_test(graph: grimp.ImportGraph) -> None:
    found = changed_tests.tests_of(["companion/bots/heuristics.py"], graph)
    assert "tests/bots" in found
    assert not {"tests/web", "tests/hardware", "tests/browser"} & found


@pytest.fixture
def steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return two steps that note that they ran; the second fails until a file is there."""
    monkeypatch.setattr(nightly, "BUILD", tmp_path / "build")
    monkeypatch.setattr(nightly, "state_of_the_tree", lambda: "commit")
    log = tmp_path / "log"
    monkeypatch.setattr(
        nightly,
        "STEPS",
        (
            Step("one", f"echo one >> {log}; echo 3 passed", "faults of one"),
            Step("two", f"echo two >> {log}; echo 1 failed; test -e {tmp_path}/mended", "faults of two"),
        ),
    )
    return tmp_path


def test_a_night_that_failed_goes_on_with_what_did_not_pass(
    steps: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One summary at the end, with the log and the meaning of each failure."""
    assert nightly.main([]) == 1
    said = capsys.readouterr().out
    assert re.search(r"one +passed +0 s +3 passed", said)
    assert re.search(r"two +FAILED \(1\) +0 s +1 failed", said)
    assert "it finds faults of two; see build/nightly/two.log" in said
    (steps / "mended").touch()
    assert nightly.main([]) == 0
    assert (steps / "log").read_text().split() == ["one", "two", "two"]
    assert nightly.main(["--again", "one"]) == 0
    assert (steps / "log").read_text().split() == ["one", "two", "two", "one"]


def test_another_commit_begins_anew(steps: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nightly.main([])
    monkeypatch.setattr(nightly, "state_of_the_tree", lambda: "another")
    nightly.main(["one"])
    assert (steps / "log").read_text().split() == ["one", "two", "one"]


def test_a_night_without_such_a_step_says_which_there_are(
    steps: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert nightly.main(["three"]) == 2
    assert "no such step: three; there are one, two" in capsys.readouterr().out


def test_each_step_of_the_night_finds_its_tests() -> None:
    """A file that moved would else be noticed a week later."""
    for step in nightly.STEPS:
        for pattern in re.findall(r"(?<!=)\btests/\S+", step.command):
            assert [*ROOT.glob(pattern)], f"{step.name}: {pattern}"


def test_a_result_is_stored_and_loaded(steps: Path) -> None:
    (steps / "build").mkdir()
    nightly.store("commit", {"one": Result(0, 1.0, "fine")})
    assert nightly.load("commit") == {"one": Result(0, 1.0, "fine")}
    assert nightly.load("another") == {}


# --- the machine ---------------------------------------------------------------------------------


def test_without_its_kernel_the_machine_is_not_checked_and_says_so() -> None:
    """One line, and no success: a night that could check nothing is not green."""
    nowhere = {"PATH": "/nowhere"}
    check = [sys.executable, "-m", "pytest", "-o", "python_files=check_*.py", "tests/machine/check_kernel"]
    ran = subprocess.run(check, cwd=ROOT, env=nowhere, capture_output=True, text=True)
    assert ran.returncode == 1
    assert re.search(r"nothing was checked: (the kernel is not built: sh tools/kernel.sh|.+)", ran.stdout)


def test_who_wants_no_machine_says_so() -> None:
    """CHECK_MACHINE=skip passes, and says that nothing was checked."""
    [skipped, checked] = re.findall(
        r"^ifeq \(\$\(CHECK_MACHINE\),skip\)\n(.*)\nelse\n((?:\t.*\n)+)endif",
        (ROOT / "Makefile").read_text("utf-8"),
        re.MULTILINE,
    )[0]
    assert "NOT CHECKED" in skipped
    assert "tools/kernel.sh" in checked


# --- what tests take -----------------------------------------------------------------------------


def test_the_page_on_tests_lists_no_quick_test_that_is_slow() -> None:
    """Each takes at most five seconds, as measured by the last `make durations`."""
    slowest = re.findall(r"^\| `(tests/.+)` \| ([\d.]+) \|", testing_page.quick_tables(), re.MULTILINE)
    assert len(slowest) == testing_page.SLOWEST
    assert [(node, cpu) for node, cpu in slowest if float(cpu) > QUICK] == []
    assert [node for node, _ in slowest if not (ROOT / node.partition("::")[0]).exists()] == []


def test_the_page_on_tests_has_every_room_and_about_as_many_tests(request: pytest.FixtureRequest) -> None:
    """Numbers are compared where all quick tests run: a tenth more or less, or five, asks for `make durations`."""
    listed = {
        name: int(tests.replace(",", ""))
        for name, tests in re.findall(
            r"^\| ([\w ]+) \| ([\d,]+) \|", testing_page.quick_tables(), re.MULTILINE
        )
    }
    rooms = {path.parent.name for path in (ROOT / "tests").glob("*/test_*.py")}
    assert rooms - {"appliance", "engines", "machine"} - set(listed) == set()
    there = Counter(testing_page.room(item.nodeid) for item in request.session.items)
    if there.total() > listed["all"] / 2 and "not long" in request.config.option.markexpr:
        wrong = {
            name: (n, there[name]) for name, n in listed.items() if abs(n - there[name]) > max(5, n / 10)
        }
        assert {name: counts for name, counts in wrong.items() if name != "all"} == {}


@pytest.mark.parametrize(("seconds", "status"), [(0.0, 0), (9.0, 1)])
def test_a_quick_test_that_takes_long_fails_the_run(tmp_path: Path, seconds: float, status: int) -> None:
    """Named with its CPU time; measured with the plugin that `make test` has."""
    (tmp_path / "test_it.py").write_text("def test_it(): pass\n", "utf-8")
    (tmp_path / "conftest.py").write_text(
        "import os\nfrom tests.support import durations\n"
        f"spent = iter([0.0] + [{seconds}] * 9)\n"
        "durations._cpu = lambda: next(spent)\n"
        "os.getloadavg, os.cpu_count = lambda: (1.0, 1.0, 1.0), lambda: 10**6\n"
        "def pytest_configure(config): config.pluginmanager.register(durations.Durations(None))\n",
        "utf-8",
    )
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-m",
            "not long",
            "-p",
            "no:cacheprovider",
            "-c",
            "/dev/null",
            tmp_path,
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == status, done.stdout + done.stderr
    assert ("SLOW" in done.stdout) == bool(status)


def test_a_room_is_known_from_its_tests(tmp_path: Path) -> None:
    file = tmp_path / "took.json"
    file.write_text(
        json.dumps({"tests/odds/test_luck.py::test_a": [2, 1.5], "docs/python.md::python.md": [1, 1]})
    )
    text = testing_page.tables(testing_page.read([file]))
    assert "| odds | 1 | 2 | 2 |" in text
    assert "| `tests/odds/test_luck.py::test_a` | 1.5 | 2.0 |" in text
