"""The odds process: blind to hidden cards, the newest position first, and never in the game's way."""

from __future__ import annotations

import os
import pickle
import queue
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import reduce
from pathlib import Path
from subprocess import PIPE
from typing import Any, ClassVar, cast

import pytest

from companion.games.galloping.decks import COPIES
from companion.games.galloping.rules import GallopingHorse, GallopingPigs
from companion.games.giro.rules import GiroGaloppo
from companion.games.judge import checked
from companion.games.race import Race, random_decision
from companion.games.terms import Decision
from companion.match.record import Header, decision_line
from companion.odds.chance import Chance, Event
from companion.odds.estimate import answers, kernel_of
from companion.odds.styles import Belief
from companion.store.journal import Journal
from companion.table.messages import NoOdds, OddsAgain, OddsAre
from companion.table.table import Table
from companion.worker import oracle
from companion.worker.oracle import SOON, TRIES, Answer, Oracle, Question
from companion.worker.process import PAUSE, Desk, spaced, work
from tests.support.client import Stream, children, companion

PIGS = ("red", "blue", "green", "yellow", "pink")
MATCH = 4


def position(cards: str, game: type[Any] = GallopingPigs, hands: Any = None, **options: Any) -> Any:
    """Return a round of two seats after these cards, dealt by people unless hands are given."""
    race = game.new(["Ada", "Ben"], 0, **({"rounds": 1} | options))
    race = checked(race, Decision("line-up", 0, tuple(race.pieces)))
    race = checked(race, Decision("deal", None, hands))
    return reduce(lambda r, card: checked(r, Decision("play", r.turn, card)), cards.split(), race)


# --- memory --------------------------------------------------------------------------------------


class Line:
    """A desk with these questions, of which each is left after its first answer."""

    def __init__(self, *questions: Question) -> None:
        self._questions = iter(questions)

    def next(self) -> Question | None:
        return next(self._questions, None)

    def go_on(self) -> bool:
        return False

    def answer(self, answer: Answer) -> None:
        pass


def test_a_question_about_another_game_frees_the_tables_of_the_one_before() -> None:
    pigs, horse = (position("", game).seen_by(None) for game in (GallopingPigs, GallopingHorse))
    before = kernel_of(pigs)
    work(cast(Desk, Line(Question(1, 1, horse))))
    after, of_horse = kernel_of(pigs), kernel_of(horse)
    assert after is not before
    work(cast(Desk, Line(Question(2, 1, horse), Question(2, 2, horse))))
    assert kernel_of(horse) is not of_horse, "a process starts with no game"
    assert kernel_of(horse) is kernel_of(horse)


def test_questions_about_one_game_share_its_tables() -> None:
    pigs = position("").seen_by(None)

    class Watched(Line):
        kernels: ClassVar[list[object]] = []

        def answer(self, answer: Answer) -> None:
            self.kernels.append(kernel_of(pigs))

    work(cast(Desk, Watched(Question(1, 1, pigs), Question(1, 2, pigs))))
    first, second = Watched.kernels
    assert first is second


# --- secrets -------------------------------------------------------------------------------------


def deals(seed: int) -> list[tuple[tuple[str, ...], ...]]:
    """Return deals of which all hidden cards differ, and the first card of each hand is the same."""
    rng, made = random.Random(seed), list[tuple[tuple[str, ...], ...]]()
    for _ in range(5):
        deck = [pig for pig in PIGS for _ in range(COPIES)]
        deck.remove("red")
        deck.remove("blue")
        rng.shuffle(deck)
        made.append((("red", *deck[:6]), ("blue", *deck[6:12])))
    return made


@pytest.mark.parametrize("cards", ["", "red", "red blue"], ids=["dealt", "one card", "two cards"])
def test_the_odds_are_the_same_bytes_for_all_hidden_hands(cards: str) -> None:
    """Dealt anew, with the same cards played: question and answer are equal byte for byte."""
    questions, found, views = set(), set(), set()
    for hands in deals(1):
        race = position(cards, hands=hands)
        public = race.seen_by(None)
        questions.add(pickle.dumps(Question(1, 7, public)))
        found.add(pickle.dumps(list(answers(public, 7))))
        views.add(race.seen_by(0))
    assert len(questions) == 1
    assert len(found) == 1
    assert len(views) == 5, "or the test proves nothing"


class Asked:
    """An oracle that keeps what it was asked."""

    def __init__(self) -> None:
        self.questions: list[Question] = []

    def ask(self, match: int, seq: int, race: Race, belief: Belief) -> None:
        self.questions.append(Question(match, seq, race, belief))

    def explain(self, match: int, seq: int, opening: Race, decisions: Sequence[Decision]) -> None:
        """Do nothing: looking back is not wanted here."""

    def review(self, match: int, seq: int, views: Sequence[tuple[int, Race, Belief]]) -> None:
        """Do nothing: the history is not wanted here."""

    def choose(
        self, match: int, seq: int, race: Race, seat: int, bot: str, seed: int, belief: Belief
    ) -> None:
        raise AssertionError("no bot plays")


def test_the_table_asks_with_public_views_only_once_a_change(tmp_path: Path) -> None:
    """The request for odds is the same for every deal of the companion, and is sent once for each entry."""
    asked, hands = [], []
    for number in range(3):
        dealt = Journal(tmp_path / f"{number}.sqlite")
        table, oracle = Table(dealt, dealer=random.Random(number)).open(), Asked()
        table.begin(Header("galloping-pigs", ("Ada", "Ben")), "companion")
        table.consult(oracle)
        table.play.decide(1, {"do": "line-up", "seat": 0, "order": list(PIGS)})
        assert table.match is not None
        hands.append(table.match.race.secrets_of(0)["hand"])
        for _ in range(3):
            table.evaluate()
        table.play.undo(3)
        asked.append(pickle.dumps(oracle.questions))
        assert [question.seq for question in oracle.questions] == [1, 3, 4]
        dealt.close()
    assert len(set(asked)) == 1
    assert not hands[0] == hands[1] == hands[2], "or the test proves nothing"


def test_what_was_taken_back_was_never_learned(tmp_path: Path) -> None:
    """Undone decision by decision, the table asks what it asked before; redone, what it asked then."""
    rng, oracle = random.Random(3), Asked()
    with closing(Journal(tmp_path / "journal.sqlite")) as journal:
        table = Table(journal).open()
        table.begin(Header("giro-galoppo", ("Ada", "Ben")), "people")
        table.consult(oracle)
        while table.match is None or len(table.match.turns) < 11:  # obstacles, and three rounds
            assert table.match is not None
            decision = random_decision(table.match.race, rng)
            assert decision is not None
            table.play.decide(table.match.seq, decision_line(GiroGaloppo, decision))
        there = [(question.race, question.belief) for question in oracle.questions]
        for act in (table.play.undo, table.play.redo):
            for _ in range(6):
                act(table.match.seq)
    back = [(question.race, question.belief) for question in oracle.questions[len(there) :]]
    assert back == [*there[-2:-8:-1], *there[-6:]]
    assert len({belief for _, belief in back}) == 4, "or the test proves nothing"


# --- the process ---------------------------------------------------------------------------------


class Answers:
    """The answers of an oracle, in order."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Answer] = queue.SimpleQueue()
        self.now = 0.0
        self.oracle = Oracle(self._queue.put, lambda: self.now)

    def anything(self) -> Answer:
        return self._queue.get(timeout=60)

    def next(self) -> OddsAre:
        answer = self.anything()
        assert isinstance(answer, OddsAre)
        return answer

    def until(self, seq: int) -> list[OddsAre]:
        """Return every answer up to the first one about entry `seq`."""
        found = [self.next()]
        while found[-1].seq != seq:
            found.append(self.next())
        return found

    def best(self, seq: int, best: tuple[Chance, ...]) -> None:
        """Wait until entry `seq` has this answer."""
        while self.next() != OddsAre(MATCH, seq, best):
            pass


@pytest.fixture
def received() -> Iterator[Answers]:
    received = Answers()
    yield received
    received.oracle.stop()


def test_the_process_answers_what_the_kernel_works_out(received: Answers) -> None:
    """The match is the seed: the same position has the same odds, after any other requests."""
    race = position("red blue " * 4).seen_by(None)
    *_, best = answers(race, MATCH)
    received.oracle.ask(MATCH, 9, race)
    received.best(9, best)
    received.oracle.ask(MATCH, 10, position("red blue " * 4 + "red").seen_by(None))
    received.until(10)
    received.oracle.ask(MATCH, 11, race)
    received.best(11, best)


ANSWERS = [
    # when each answer is found, which of them are reported
    ("one alone", [0.0], [0]),
    ("the first and the last", [0.0, 0.1, 0.2], [0, 2]),
    ("those in between that come late", [0.0, 0.1, 0.3, 0.4, 0.6, 0.7], [0, 2, 4, 5]),
]


@pytest.mark.parametrize(("when", "reported"), [row[1:] for row in ANSWERS], ids=[row[0] for row in ANSWERS])
def test_answers_are_reported_soon_but_not_all(when: list[float], reported: list[int]) -> None:
    """Screens are drawn anew for the first answer, for the last, and a few times a second between."""
    now = [0.0]

    def chances() -> Iterator[tuple[Chance, ...]]:
        for number, at in enumerate(when):
            now[0] = at
            yield (Chance(Event("win", 0), number, 0.1, 0.1),)

    passed = [some[0].p for some in spaced(chances(), lambda: True, lambda: now[0])]
    assert passed == reported
    assert PAUSE == 0.25


def test_a_question_that_is_stale_is_given_up() -> None:
    """Between two answers it looks whether a newer question has come; then no answer follows."""
    looked: list[int] = []

    def once() -> bool:
        looked.append(1)
        return len(looked) < 2

    race = position("").seen_by(None)
    assert len(list(spaced(answers(race, 1), once, lambda: 0.0))) == 1
    assert len(looked) == 2


def test_the_newest_question_wins(received: Answers) -> None:
    """Of fifty questions asked at once the last one is answered; hardly any of the others is."""
    race = position("").seen_by(None)
    for seq in range(1, 51):
        received.oracle.ask(1, seq, race)
    answers = received.until(50)
    assert len(answers) <= 4
    assert [a.seq for a in answers] == sorted(a.seq for a in answers)


def test_asking_never_waits_for_an_answer(received: Answers) -> None:
    """A process that stands still delays no caller: of thousands of requests meanwhile one is stored.

    A caller that waited for its answer here would wait for ever.
    """
    race = position("").seen_by(None)
    process_of(received).send_signal(signal.SIGSTOP)
    for seq in range(5000):
        received.oracle.ask(1, seq, race)
    process_of(received).send_signal(signal.SIGCONT)
    assert len(received.until(4999)) <= 5


def test_the_table_goes_first(received: Answers) -> None:
    """Every other process gets the processor first, also where Linux shares it out by session."""
    received.oracle.ask(MATCH, 1, position("").seen_by(None))
    received.until(1)
    pid = process_of(received).pid
    assert os.getpriority(os.PRIO_PROCESS, pid) == 19
    session = Path(f"/proc/{pid}/autogroup")
    assert not session.exists() or session.read_text().endswith("nice 5\n")


def test_a_process_that_hangs_is_ended(received: Answers) -> None:
    """It ends with the companion, by what no process can hold up."""
    process = process_of(received)
    process.send_signal(signal.SIGSTOP)
    for seq in range(100):
        received.oracle.ask(1, seq, position(""))
    received.oracle.stop()
    assert process.returncode == -signal.SIGKILL


def test_a_process_that_ends_is_started_again(received: Answers) -> None:
    """After a kill during a question the new process answers it, and the next one too."""
    race = position("").seen_by(None)
    received.oracle.ask(MATCH, 1, race)
    received.until(1)
    process_of(received).kill()
    received.oracle.ask(MATCH, 2, race)
    received.until(2)


def worker() -> subprocess.Popen[bytes]:
    """Return the process before its first request."""
    command = [sys.executable, "-m", "companion.worker.process"]
    return subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE)


QUESTION = pickle.dumps(Question(MATCH, 1, position("").seen_by(None)))


def test_a_companion_that_was_killed_leaves_no_process_and_no_words() -> None:
    """It dies with the answer untaken: what works it out ends by itself, and prints nothing."""
    with worker() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(QUESTION)
        process.stdin.flush()
        pickle.load(process.stdout)  # it works: there will be better ones
        process.stdout.close()
        process.stdin.write(QUESTION)
        process.stdin.flush()
        assert process.wait(timeout=60) == 0
        assert process.stderr.read() == b""


@pytest.mark.parametrize("written", [0, 1, len(QUESTION) // 2, len(QUESTION) - 1, len(QUESTION)])
def test_a_companion_that_was_killed_while_it_asked_leaves_no_process_and_no_words(written: int) -> None:
    """It ends where its questions end, also in the middle of one."""
    process = worker()
    _, said = process.communicate(QUESTION[:written], timeout=60)
    assert (process.returncode, said) == (0, b"")


def process_of(received: Answers) -> subprocess.Popen[bytes]:
    """Return the odds process, and wait for one if the last has just ended."""
    while (process := received.oracle._process) is None:
        time.sleep(0.01)
    return process


def end_it(received: Answers) -> None:
    """End the odds process, and wait until that has been noticed."""
    process = process_of(received)
    process.kill()
    process.wait()
    while received.oracle._process is process:
        time.sleep(0.01)


def test_a_process_that_keeps_ending_is_reported_once_and_tried_again(
    received: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There are no odds for now; once it works again that is reported too, and the last request is answered."""
    monkeypatch.setattr(oracle, "PAUSE", 0.01)
    for _ in range(TRIES + 3):
        end_it(received)
    none = received.anything()
    assert isinstance(none, NoOdds)
    assert none.for_now
    assert "keeps ending; it is tried again" in str(none.why)
    received.oracle.ask(MATCH, 7, position("").seen_by(None))
    assert received.anything() == OddsAgain()
    received.until(7)


def test_a_process_that_cannot_be_started_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without memory for it now may have some later."""
    monkeypatch.setattr(oracle, "PAUSE", 0.01)
    started, left = subprocess.Popen, iter(range(TRIES + 1))

    def popen(*args: Any, **how: Any) -> Any:
        if next(left, None) is not None:
            raise OSError("Cannot allocate memory")
        return started(*args, **how)

    monkeypatch.setattr(subprocess, "Popen", popen)
    received = Answers()
    received.oracle.ask(MATCH, 7, position("").seen_by(None))
    assert isinstance(received.anything(), NoOdds)
    assert received.anything() == OddsAgain()
    received.until(7)
    received.oracle.stop()


def test_a_long_pause_does_not_hold_up_the_end(received: Answers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracle, "PAUSE", 1000.0)
    monkeypatch.setattr(oracle, "MOST_PAUSE", 1000.0)
    for _ in range(TRIES):
        end_it(received)
    assert isinstance(received.anything(), NoOdds)
    received.oracle.stop()  # or this waits a quarter of an hour


@pytest.mark.long
@pytest.mark.parametrize("asked", [False, True])
def test_a_process_that_stands_still_is_reported_and_started_again(
    asked: bool, received: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stopped process reports nothing and ends at nothing: its silence is what is noticed.

    Only here: a process that lives and never answers again, which takes seconds to notice.
    """
    monkeypatch.setattr(oracle, "SILENT", 4.0)
    race = position("").seen_by(None)
    received.oracle.ask(MATCH, 1, race)
    received.until(1)
    process = process_of(received)
    process.send_signal(signal.SIGSTOP)
    if asked:
        received.oracle.ask(MATCH, 2, race)
    while not isinstance(answer := received.anything(), NoOdds):
        assert isinstance(answer, OddsAre)
        assert answer.seq == 1, "it was on its way"
    assert answer.for_now
    assert "does not answer" in str(answer.why)
    received.oracle.ask(MATCH, 3, race)
    assert received.anything() == OddsAgain()
    received.until(3)
    assert process.returncode == -signal.SIGKILL


@pytest.mark.long
def test_a_process_that_ends_now_and_then_is_always_started_again(received: Answers) -> None:
    """It ends as often as the machine runs out of memory in a winter; each time odds are reported again.

    Only here: a process that is given up although it works for a while each time.
    """
    for seq in range(2 * TRIES):
        end_it(received)
        received.now += SOON
        received.oracle.ask(MATCH, seq, position("").seen_by(None))
        received.until(seq)


# --- at the table --------------------------------------------------------------------------------


@pytest.mark.long
def test_a_dead_odds_process_leaves_the_game_going(tmp_path: Path) -> None:
    """After a kill in the game every tap is answered, the odds come back, and it ends with status 0.

    Only here: a game that waits for odds whose process was killed.
    """
    with companion(tmp_path) as running:
        client = running.client.host()
        client.begin(options={"rounds": 1})
        client.decide(do="line-up", seat=0, order=list(PIGS))
        kill_the_odds(running.process.pid)
        for turn in range(6):
            client.decide(do="play", seat=turn % 2, card=PIGS[turn % 5])
        client.until(lambda t: t["odds"] and t["odds"]["seq"] == t["seq"])
        assert running.stop() == 0
    assert "Traceback" not in (tmp_path / "console.txt").read_text(encoding="utf-8")


NO_NUMPY = """
from importlib.machinery import PathFinder

found = PathFinder.find_spec
PathFinder.find_spec = lambda name, *more: None if name.startswith("numpy") else found(name, *more)
"""


def test_without_numpy_a_game_is_played_and_the_odds_are_said_to_be_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page says why there are no odds and what to do; nothing else is missing."""
    (tmp_path / "sitecustomize.py").write_text(NO_NUMPY, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with companion(tmp_path) as running:
        client = running.client.host()
        client.begin(options={"rounds": 1})
        client.decide(do="line-up", seat=0, order=list(PIGS))
        for turn in range(14):
            client.decide(do="play", seat=turn % 2, card=PIGS[turn % 5])
        assert client.table["next"] is None
        assert client.table["odds"] is None
        client.stand()
        stream = Stream(client.port, "?as=page")
        page = stream.view()
        stream.close()
        assert page["odds"]["off"] == "no odds: NumPy is not installed; run make setup and start again"
        assert running.stop() == 0
    console = (tmp_path / "console.txt").read_text(encoding="utf-8")
    assert "Traceback" not in console
    assert "NumPy is not installed" in console


def kill_the_odds(pid: int) -> None:
    for child, command in children(pid).items():
        if "companion.worker.process" in command:
            os.kill(child, signal.SIGKILL)
            return
    raise AssertionError("there is no odds process")


@pytest.mark.long
def test_the_odds_follow_the_game_to_its_exact_end(tmp_path: Path) -> None:
    """Null before the first match; then of the public view, with the entry they belong to; at the end exact.

    Only here: odds of the real process that stop before the last decision.
    """
    with companion(tmp_path) as running:
        client = running.client.host()
        assert client.table["odds"] is None
        client.begin(options={"rounds": 1})
        client.decide(do="line-up", seat=0, order=list(PIGS))
        table = client.until(lambda t: t["odds"] and t["odds"]["seq"] == t["seq"] and t)
        assert table["odds"]["exact"] is False
        chances = table["odds"]["chances"]
        assert [(c["what"], c["seat"]) for c in chances] == [("win", 0), ("win", 1), ("keep", 0), ("keep", 1)]
        assert sum(c["p"] for c in chances if c["what"] == "win") == pytest.approx(1)
        assert all(0 < c["error"] < 0.5 for c in table["odds"]["chances"])
        for turn in range(14):
            client.decide(do="play", seat=turn % 2, card=PIGS[turn % 5])
        table = client.until(lambda t: t["odds"]["exact"] and t["odds"]["seq"] == t["seq"] and t)
        first = [s["seat"] for s in table["standings"] if s["place"] == 1]
        assert [c["p"] for c in table["odds"]["chances"]] == [(s in first) / len(first) for s in (0, 1)]
        assert {c["error"] for c in table["odds"]["chances"]} == {0}
        client.now("/api/end")
        assert client.table["odds"] is None


@pytest.mark.long
def test_a_finished_game_is_looked_back_on(tmp_path: Path) -> None:
    """Luck and choice are reported once the game is over; taken back, the game goes on and nothing is
    reported.

    Only here: odds or luck of a finished game that are not worked out once its table goes on.
    """
    with companion(tmp_path) as running:
        client = running.client.host()
        client.begin(options={"rounds": 1})
        client.decide(do="line-up", seat=0, order=list(PIGS))
        stream = Stream(client.port, "?as=page")
        for turn in range(14):
            client.decide(do="play", seat=turn % 2, card=PIGS[turn % 5])
        client.stand()
        page = stream.view()
        while page["luck"] is None:
            page = stream.view()
        assert page["match"]["finished"]
        assert [said.split()[0] for said in page["luck"]["seats"]] == ["Ada", "Ben"]
        assert len(page["luck"]["moments"]) <= 3
        client.now("/api/undo")
        while page["match"]["finished"]:
            page = stream.view()
        assert page["luck"] is None
        stream.close()
