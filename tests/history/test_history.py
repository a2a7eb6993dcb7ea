"""Past games: the story that everybody saw, who leads, and what stays hidden even afterwards."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.errors import ConflictError
from companion.games.race import Race
from companion.games.terms import Decision
from companion.history import past as history
from companion.history.leaderboard import leaderboard, win_share
from companion.match.entries import Entry, Filed
from companion.match.match import Match
from companion.match.record import Header, decision_line
from companion.message import Sentence
from companion.odds.chance import Chance, Event
from companion.odds.luck_summary import Parts
from companion.odds.styles import Belief
from companion.store.journal import Journal
from companion.table.messages import LuckIs, OddsWere
from companion.table.preferences import LAST_GAME, PEOPLE
from companion.table.table import Table
from companion.translate import Words
from tests.support.apps import create_app
from tests.support.moments import Story
from tests.web.test_seats import Device, House


def finished(standing: str, game: str = "galloping-pigs", state: str = "played", bots: str = "") -> Filed:
    """Return a match that ended so: in "Ada 12, Ben 7, Cleo -" Cleo has no place; `bots`: a word a seat."""
    rows = [(row.rpartition(" ")[0].strip(), row.rpartition(" ")[2]) for row in standing.split(",")]
    scores = [0 if score == "-" else int(score) for _, score in rows]
    standings = tuple(
        {"seat": seat, "name": name, "score": scores[seat], "place": None if score == "-" else 1 + sum(other > scores[seat] for other in scores)}
        for seat, (name, score) in enumerate(rows)
    )  # fmt: skip
    header = Header(game, tuple(name for name, _ in rows), 0, {})
    played_by = tuple("" if bot == "-" else bot for bot in bots.split())
    return Filed(1, header, "people", (), state, "2026-05-01", standings, {}, played_by)  # type: ignore[arg-type]


BOARDS = [
    # what was played, newest first; what the board says: name, games, wins, places, best, average place
    ("nothing", [], []),
    (
        "two games",
        ["Ada 12, Ben 7", "Ben 9, Ada 3"],
        [("Ada", 2, 1, (1, 1), 12, 1.5), ("Ben", 2, 1, (1, 1), 9, 1.5)],
    ),
    ("one name", ["Ada 5, Ben 1", " aDA 7, BEN 2"], [("Ada", 2, 2, (2,), 7, 1), ("Ben", 2, 0, (0, 2), 2, 2)]),
    (
        "a shared victory is everybody's",
        ["Ada 5, Ben 5, Cleo 1"],
        [("Ada", 1, 1, (1,), 5, 1), ("Ben", 1, 1, (1,), 5, 1), ("Cleo", 1, 0, (0, 0, 1), 1, 3)],
    ),
    (
        "who came in without a place has played, just behind those who have one",
        ["Ada 9, Ben 5, Cleo -, Dev -", "Cleo 9, Ada -, Dev -"],
        [
            ("Ada", 2, 1, (1, 1), 9, 1.5),
            ("Cleo", 2, 1, (1, 0, 1), 9, 2),
            ("Ben", 1, 0, (0, 1), 5, 2),
            ("Dev", 2, 0, (0, 1, 1), 0, 2.5),
        ],
    ),
    (
        "one lucky evening leads no board",
        ["Zoe 9, Ada 1"] + 8 * ["Ada 9, Ben 1"] + 2 * ["Ben 9, Ada 1"],
        [
            ("Ada", 11, 8, (8, 3), 9, 14 / 11),
            ("Zoe", 1, 1, (1,), 9, 1),
            ("Ben", 10, 2, (2, 8), 9, 1.8),
        ],
    ),
]


@pytest.mark.parametrize(("played", "board"), [row[1:] for row in BOARDS], ids=[row[0] for row in BOARDS])
def test_the_leaderboard_counts_what_was_played(played: list[str], board: list[tuple[object, ...]]) -> None:
    rows = leaderboard(finished(standing) for standing in played)
    assert [(r.name, r.games, r.wins, r.places, r.best, r.average) for r in rows] == board


def test_only_games_that_came_to_their_end_count() -> None:
    for state in ("running", "aside", "ended"):
        assert leaderboard([finished("Ada 1, Ben 0", state=state)]) == []
    assert len(leaderboard([finished("Ada 1, Ben 0", state="finished")])) == 2, "also while it is still shown"


def test_a_robot_is_no_person_of_that_name() -> None:
    """Ada the person, Ada played strong and Ada played easy are three."""
    rows = leaderboard(
        [
            finished("Ada 5, Ben 1"),
            finished("Ada 5, Ben 1", bots="strong -"),
            finished("Ada 1, Ben 5", bots="easy -"),
        ]
    )
    assert sorted((r.name, r.bot, r.games, r.wins) for r in rows) == [
        ("Ada", "", 1, 1), ("Ada", "easy", 1, 0), ("Ada", "strong", 1, 1), ("Ben", "", 3, 1),
    ]  # fmt: skip


def test_scores_of_different_games_are_not_compared() -> None:
    rows = leaderboard([finished("Ada 950, Ben 400", "greyhounds"), finished("Ada 5, Ben 7")])
    assert [row.best for row in rows] == [None, None]


SHARES = [
    # wins, games, fair part, share, give or take
    (0, 0, 0.5, 0.5, 0.4),
    (1, 1, 0.25, 0.375, 0.36),
    (8, 10, 0.25, 0.617, 0.24),
    (80, 100, 0.25, 0.774, 0.08),
    (0, 10, 0.5, 0.167, 0.18),
]


@pytest.mark.parametrize(("wins", "games", "fair", "share", "error"), SHARES)
def test_a_share_of_few_games_leans_on_the_fair_one_and_says_how_sure_it_is(
    wins: int, games: int, fair: float, share: float, error: float
) -> None:
    assert win_share(wins, games, fair) == pytest.approx((share, error), abs=0.006)


# --- what a match was ----------------------------------------------------------------------------

EVENINGS = [
    Story("galloping-pigs", ("Ada", "Ben", "Cleo"), 1, {"rounds": 2}),
    Story("galloping-pigs", ("Ada", "Ben"), 2, {"rounds": 1, "food_on_track": True}, "companion"),
    Story("galloping-horse", ("Ada", "Ben"), 3),
    Story("giro-galoppo", ("Ada", "Ben", "Cleo"), 4, deal="companion"),
    Story("greyhounds", ("Ada", "Ben", "Cleo", "Dev"), 5, deal="companion"),
]
named = pytest.mark.parametrize("evening", EVENINGS, ids=lambda story: f"{story.game} {story.deal}")


def past_of(evening: Story) -> history.Past:
    filed = Filed(1, evening.match.header, evening.deal, (), "played", "2026-05-01")
    return history.past(filed, history.in_public(evening.match))


@named
def test_a_past_game_is_what_everybody_saw_at_each_moment(evening: Story) -> None:
    """Position by position, and no decision says what was secret; the end is the end of the game."""
    past, turns = past_of(evening), evening.match.turns
    assert [m.race for m in past.moments] == [
        race.seen_by(None) for race in (evening.match.opening, *(turn.race for turn in turns))
    ]
    assert [m.seq for m in past.moments] == [0, *(turn.seq for turn in turns)]
    assert {turn.decision.what for turn in past.match.turns} == {None}
    assert past.standings == evening.match.race.standings()
    assert all(past.match_at(n).race == moment.race for n, moment in enumerate(past.moments))
    with pytest.raises(IndexError):
        past.match_at(len(past.moments))


def test_the_story_has_sentences() -> None:
    past = past_of(EVENINGS[0])
    said = [", ".join(Words.english().text(s, m.race) for s in m.story) for m in past.moments[:3]]
    assert said[0] == ""
    assert said[1].startswith("Ada lines up the pigs, the ")
    assert said[2] == "7 cards for everybody"


@named
def test_rounds_add_up_to_the_scores(evening: Story) -> None:
    """In Pigs and Horse all safe food is the score; food is lost in Pigs only; no other game has this."""
    past = past_of(evening)
    if not evening.game.startswith("galloping"):
        assert past.rounds == ()
        return
    safe = [sum(r.kept[seat] for r in past.rounds) for seat in range(len(past.seats))]
    assert safe == list(past.race.scores())
    assert [r.number for r in past.rounds] == list(range(1, len(past.rounds) + 1))
    assert {count for r in past.rounds for count in r.open} == {0}
    assert any(sum(r.lost) for r in past.rounds) == (evening.game == "galloping-pigs")


def test_food_at_risk_when_a_game_is_given_up_is_neither_safe_nor_lost() -> None:
    match = EVENINGS[0].match
    at = next(n for n, turn in enumerate(match.turns) if sum(turn.race.provisional) > 2)  # type: ignore[attr-defined]
    turns = match.turns[: at + 1]
    filed = Filed(1, match.header, "people", (), "ended", "2026-05-01")
    cut = Match(1, match.header, "people", (), match.opening, turns, bots=match.bots)
    [only] = history.past(filed, history.in_public(cut)).rounds
    assert only.open == turns[-1].race.provisional  # type: ignore[attr-defined]
    assert history.past(filed, history.in_public(cut)).podium == ()


@pytest.mark.parametrize("state", ["running", "aside"])
def test_what_goes_on_is_not_past(state: Any) -> None:
    match = EVENINGS[0].match
    with pytest.raises(ValueError, match="is not over"):
        history.past(Filed(1, match.header, "people", (), state, ""), history.in_public(match))


def test_cards_that_people_dealt_are_open_afterwards() -> None:
    """A seat's cards until the next deal were its hand; the position before the deal shows none."""
    match = EVENINGS[0].match
    dealt = next(n for n, turn in enumerate(match.turns, 1) if turn.decision.do == "deal")
    opened = history.with_open_cards(match, dealt)
    assert opened is not None
    played = [
        sorted(turn.decision.what for turn in match.turns[dealt:][:21] if turn.decision.seat == seat)
        for seat in range(3)
    ]
    assert [sorted(opened.secrets_of(seat)["hand"]) for seat in range(3)] == played
    assert history.with_open_cards(match, len(match.turns) + 1) is None


# --- what was never shown stays hidden ------------------------------------------------------------


def everything(device: Device, number: int) -> dict[str, Any]:
    """Return every answer that the history has for this device about a match, as it came."""
    asked = [
        "/api/history",
        "/api/leaderboard",
        f"/api/history/{number}",
        f"/api/history/{number}?cards=open",
    ]
    past = device.get(f"/api/history/{number}")[1]
    for moment in range(len(past.get("moments", [0]))):
        asked += [f"/api/history/{number}/moments/{moment}{cards}" for cards in ("", "?cards=open")]
    return {path: device.get(path) for path in asked}


def redealt(match: Match, number: int) -> list[dict[str, Any]]:
    """Return the lines of the same game as everybody saw it, with all that stayed hidden dealt anew."""
    lines, race = list[dict[str, Any]](), match.opening
    for turn in match.turns:
        decision = turn.decision
        if decision.do == "deal":
            decision = Decision("deal", None, _other_hands(match, number))
        race = race.after(decision)
        lines.append(decision_line(match.opening, decision))
    assert race.seen_by(None) == match.race.seen_by(None)
    return lines


def _other_hands(match: Match, number: int) -> tuple[tuple[str, ...], ...]:
    """Return hands with the cards that were played, the rest of them others."""
    guessed: Any = match.race.seen_by(None).guessed(random.Random(number))
    played = [[t.decision.what for t in match.turns if t.decision[:2] == ("play", seat)] for seat in (0, 1)]
    return tuple((*played[seat], *guessed.hands[seat]) for seat in (0, 1))


def journal_with(directory: Path, lines: list[dict[str, Any]], state: Any) -> Journal:
    directory.mkdir()
    journal = Journal(directory / "journal.sqlite")
    header = Header("galloping-pigs", ("Ada", "Ben"), 0, {"rounds": 1})
    number = journal.begin(header, "companion")[0].id
    journal.append(number, [Entry("decide", line) for line in lines], state)
    return journal


@pytest.mark.parametrize("state", ["ended", "running", "aside"])
def test_hands_that_were_never_shown_change_no_byte_of_the_history(tmp_path: Path, state: Any) -> None:
    """A game with dealt hands that is given up, runs or is set aside: dealt anew, all answers stay the same."""
    story = Story("galloping-pigs", ("Ada", "Ben"), 7, {"rounds": 1}, "companion")
    whole = story.match
    cut = Match(1, whole.header, "companion", (), whole.opening, whole.turns[:6], bots=whole.bots)
    given_answers, dealt = set(), set()
    for number in range(4):
        lines = redealt(cut, number)
        dealt.add(json.dumps([line for line in lines if line["do"] == "deal"]))
        journal = journal_with(tmp_path / str(number), lines, state)
        answers = everything(device_at(Table(journal).open()), 1)
        given_answers.add(json.dumps(answers).replace(journal.match(1).began, ""))
        if state == "ended":
            assert answers["/api/history/1"][0] == 200
            assert {answer[1]["hands"] for path, answer in answers.items() if "moments" in path} == {None}
        else:
            assert {answer[0] for path, answer in answers.items() if "/api/history/" in path} == {409}
        journal.close()
    assert len(dealt) == 4, "or the test proves nothing"
    assert len(given_answers) == 1


def device_at(table: Table) -> Device:
    return Device(create_app(table))


def test_of_a_game_that_goes_on_only_its_state_is_shown(journal: Journal) -> None:
    house = House(journal, "galloping-pigs", deal="companion")
    watcher = house.device()
    [going], matches = watcher.get("/api/history")[1]["going_on"], watcher.get("/api/history")[1]["matches"]
    assert going.keys() == {"id", "game", "title", "when", "seats"}
    assert matches == []


def test_the_cards_of_a_finished_game_may_be_opened_and_are_not_unless_asked_for(tmp_path: Path) -> None:
    story = EVENINGS[1]
    story.write(tmp_path, len(story.entries) - 1)
    journal = Journal(tmp_path / "journal.sqlite")
    device = device_at(Table(journal).open())
    shown, opened = (device.get(f"/api/history/1/moments/5{cards}")[1] for cards in ("", "?cards=open"))
    assert shown["hands"] is None
    hand = [card["piece"] for card in opened["hands"][0][0]["cards"]]
    assert hand == story.match.turns[4].race.secrets_of(0)["hand"]
    assert shown == opened | {"hands": None}
    journal.close()


# --- names, and forgetting -----------------------------------------------------------------------


def two_evenings(journal: Journal) -> House:
    """Return two games that were given up, by other people, the second with a tag."""
    house = House(journal, "galloping-pigs", seats=["Aurelia", "Barnaby"])
    house.end()
    house.begin("galloping-pigs", seats=["Corisande", "Dagobert"])
    house.end()
    return house


def test_a_game_is_named_by_the_host_only(journal: Journal) -> None:
    house = two_evenings(journal)
    assert patched(house.device(), 1, "Fog") == 403
    assert patched(house.host, 1, "  The   fog ") == 200
    assert [m["name"] for m in house.host.get("/api/history")[1]["matches"]] == ["", "The fog"]
    assert house.host.get("/api/history/1")[1]["name"] == "The fog"
    assert patched(house.host, 1, "x" * 61) == 400
    assert patched(house.host, 9, "Fog") == 404
    house.begin()
    assert patched(house.host, 3, "Fog") == 409, "it still runs"


def patched(device: Device, number: int, name: str) -> int:
    answer = device._client.patch(
        f"/api/matches/{number}", json={"name": name}, headers={"Origin": "http://localhost"},
        environ_overrides=device._from,
    )  # fmt: skip
    return answer.status_code


def deleted(device: Device, number: int) -> int:
    answer = device._client.delete(
        f"/api/matches/{number}",
        json={},
        headers={"Origin": "http://localhost"},
        environ_overrides=device._from,
    )
    return answer.status_code


def test_a_game_that_is_forgotten_is_gone_from_the_file_and_the_others_are_not(
    journal: Journal, tmp_path: Path
) -> None:
    """Not a name of it is left in any file of the journal; the other game is as it was."""
    house = two_evenings(journal)
    journal.store_findings(2, "odds", 0, {0: [[0.5, 0.5], [0.1, 0.1]]})
    journal.remember(PEOPLE, [])  # else the names are offered for the next game, as they were
    journal.remember(LAST_GAME, None)
    other = (journal.match(1), journal.entries(1))
    assert b"Dagobert" in on_disk(tmp_path)
    assert deleted(house.device(), 2) == 403
    assert deleted(house.host, 2) == 200
    for path in ("", "/moments/0"):
        assert house.host.get(f"/api/history/2{path}")[0] == 404
    assert house.host.get("/api/matches/2/record")[0] == 404
    assert (journal.match(1), journal.entries(1)) == other
    assert journal.findings(2, "odds", 0) == {}
    assert b"Dagobert" not in on_disk(tmp_path)
    assert b"Barnaby" in on_disk(tmp_path)
    assert deleted(house.host, 2) == 404, "there is no such game any more"


def on_disk(directory: Path) -> bytes:
    return b"".join(path.read_bytes() for path in directory.glob("journal.sqlite*"))


def test_forgetting_lowers_no_number(journal: Journal) -> None:
    """The table's `seq` stays, the next entry is the next one, and no match has the number of another."""
    house = two_evenings(journal)
    before = journal.seq()
    assert deleted(house.host, 2) == 200
    assert journal.seq() == before == house.host.get("/api/table")[1]["seq"]
    assert Table(journal).open().snapshot.seq == before, "also after a restart"
    house.begin(seats=["Eve", "Fay"])
    assert journal.seq() == before + 1
    assert journal.matches()[0].id == 3


def test_a_game_that_goes_on_cannot_be_forgotten(journal: Journal) -> None:
    house = House(journal, "galloping-pigs")
    assert deleted(house.host, 1) == 409
    house.host.post("/api/set-aside", seq=house.host.get("/api/table")[1]["seq"])
    assert deleted(house.host, 1) == 409


def test_a_finished_game_that_is_forgotten_leaves_the_table(tmp_path: Path) -> None:
    EVENINGS[0].write(tmp_path, len(EVENINGS[0].entries) - 1)
    journal = Journal(tmp_path / "journal.sqlite")
    table = Table(journal).open()
    assert table.match is not None
    assert table.match.finished
    table.forget(1)
    assert table.match is None
    assert table.snapshot.match is None
    journal.close()


# --- odds and luck are worked out once -----------------------------------------------------------


class Scholar:
    """An oracle that keeps what it was asked to look back on."""

    def __init__(self) -> None:
        self.views: list[tuple[int, int, list[int]]] = []
        self.games: list[tuple[int, int]] = []

    def ask(self, match: int, seq: int, race: Race, belief: Belief) -> None:
        """Do nothing: the odds of the table are not wanted here."""

    def choose(
        self, match: int, seq: int, race: Race, seat: int, bot: str, seed: int, belief: Belief
    ) -> None:
        raise AssertionError("no bot plays")

    def explain(self, match: int, seq: int, opening: Race, decisions: Any) -> None:
        self.games.append((match, seq))

    def review(self, match: int, seq: int, views: Any) -> None:
        assert all(race == race.seen_by(None) for _, race, _ in views), (
            "nothing that was secret leaves the table"
        )
        self.views.append((match, seq, [at for at, _, _ in views]))


@pytest.fixture
def looked_at(tmp_path: Path) -> Any:
    """Yield a table with one finished game of long ago, its time, and who works out its odds."""
    EVENINGS[1].write(tmp_path, len(EVENINGS[1].entries) - 1)
    journal, now = Journal(tmp_path / "journal.sqlite"), [100.0]
    journal._db.execute("update matches set state = 'played'")
    table, scholar = Table(journal, clock=lambda: now[0]).open(), Scholar()
    table.consult(scholar)
    yield table, scholar, now
    journal.close()


def chances(p: float) -> tuple[Chance, ...]:
    return (
        Chance(Event("win", 1), 1 - p, 0.01, 0.01),
        Chance(Event("win", 0), p, 0.02, 0.02),
        Chance(Event("keep", 0), 0.3, 0, 0),
    )


def test_missing_odds_are_requested_once_and_stored(looked_at: Any) -> None:
    table, scholar, now = looked_at
    past = table.look_back(1)
    seqs = [moment.seq for moment in past.moments]
    assert past.worked_out == 0
    for _ in range(3):
        table.look_back(1)
    assert scholar.views == [(1, seqs[-1], seqs)]
    assert scholar.games == [(1, seqs[-1])]
    table.handle(OddsWere(1, seqs[-1], {seq: chances(0.25) for seq in seqs[:4]}))
    luck = LuckIs(1, seqs[-1], Sentence("Luck"), (Sentence("{seat} won", {"seat": 0}),), ())
    table.handle(luck)
    past = table.look_back(1)
    assert past.worked_out == 4
    assert past.odds[0] == ((0.25, 0.75), (0.02, 0.01))
    assert past.luck == luck[2:]
    now[0] += 31
    table.look_back(1)
    assert scholar.views[1:] == [(1, seqs[-1], seqs[4:])], "after a while what is still missing, and no more"
    table.handle(OddsWere(1, seqs[-1], {seq: chances(0.5) for seq in seqs[4:]}))
    again = Table(table.journal).open()
    again.consult(scholar)
    now[0] += 31
    assert again.look_back(1).worked_out == len(seqs), "it is there next time"
    assert len(scholar.views) == 2
    assert len(scholar.games) == 1


def test_what_was_found_out_about_a_forgotten_game_is_dropped(looked_at: Any) -> None:
    table, _, _ = looked_at
    last = table.look_back(1).last
    table.forget(1)
    table.handle(OddsWere(1, last, {0: chances(0.5)}))
    assert table.journal.findings(1, "odds", last) == {}


def test_luck_of_another_end_is_neither_shown_nor_stored(journal: Journal) -> None:
    """Odds and luck are of the decisions of one end: undone and played on, or changed, they are gone."""
    table = Table(journal, dealer=random.Random(2)).open()
    table.begin(Header("galloping-horse", ("Ada", "Ben"), 0, {"rounds": 1}))
    play_on(table)
    for another in (lambda: table.play.undo(journal.seq()), lambda: change_the_line_up(table)):
        last = table.archive.past(1).last
        for _ in range(2):
            table.handle(LuckIs(1, last, Sentence("Luck"), (), ()))
            table.handle(OddsWere(1, last, {0: chances(0.5)}))
            assert (table.archive.past(1).luck is not None, table.archive.past(1).worked_out) == (True, 1)
        another()
        play_on(table)
        assert table.archive.past(1).last > last
        table.handle(OddsWere(1, last, {0: chances(0.5)}))
        assert (table.archive.past(1).luck, table.archive.past(1).worked_out) == (None, 0)


def test_the_table_shows_headline_and_badges_once_all_is_worked_out(journal: Journal) -> None:
    """They belong to the finished match on it, as it stands: neither to half of it, nor to one taken back."""
    table = Table(journal, dealer=random.Random(2)).open()
    table.begin(Header("galloping-horse", ("Ada", "Ben"), 0, {"rounds": 1}))
    play_on(table)
    past = table.archive.past(1)
    seqs = [moment.seq for moment in past.moments]
    parts = (Parts(50, 100, 50, None, None), Parts(50, 0, -50, None, None))
    table.handle(OddsWere(1, past.last, {seq: chances(0.5) for seq in seqs[:4]}))
    table.handle(LuckIs(1, past.last, Sentence("Luck"), (), (), parts))
    assert (table.snapshot.luck is not None, table.snapshot.evening) == (True, None)
    table.handle(OddsWere(1, past.last, {seq: chances(0.5) for seq in seqs[4:]}))
    shown = table.snapshot.evening
    assert shown is not None
    assert shown == table.archive.evening(1)
    table.play.undo(journal.seq())
    assert [table.snapshot.luck, table.snapshot.evening] == [None, None]


def change_the_line_up(table: Table) -> None:
    """Change the order of the horses, as people do afterwards."""
    assert table.match is not None
    line = {"do": "line-up", "seat": 0, "order": ["yellow", "green", "blue", "red"]}
    table.play.change(table.journal.seq(), table.match.turns[0].seq, line)


def play_on(table: Table) -> None:
    rng = random.Random(1)
    while table.match is not None and (due := table.match.race.awaits()):
        race = table.match.race.guessed(rng)
        line = decision_line(race, race.at_random(due.seats[0], rng))
        table.play.decide(table.journal.seq(), line)


def test_only_what_is_over_is_looked_back_on(journal: Journal) -> None:
    table = Table(journal).open()
    table.begin(Header("galloping-pigs", ("Ada", "Ben")))
    asked: list[Callable[[], object]] = [
        lambda: table.archive.past(1), lambda: table.look_back(1), lambda: table.archive.with_open_cards(1, 0), lambda: table.forget(1),
        lambda: table.archive.rename(1, "Fog"), lambda: table.archive.past(2), lambda: table.archive.past(2**63),
    ]  # fmt: skip
    for ask in asked:
        with pytest.raises(ConflictError):
            ask()
