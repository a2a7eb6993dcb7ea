"""Nothing that cannot be seen may stop a game: random hands at a track of switches, which then put the table right."""

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games.terms import Decision
from companion.referee.occupancy import Expected, Occupancy, Stand
from companion.referee.steps import Checked, Compared, Decided, Event, HeldToPad, NoMatch, SwitchesRead, step
from companion.referee.switches import Switch, Switches
from tests.support.switch_table import SwitchTable

GAMES = ("galloping-pigs", "galloping-horse", "giro-galoppo", "greyhounds")
CHECK = "check the colours: "

Act = Callable[[SwitchTable], None]


# --- what hands do -------------------------------------------------------------------------------


def any_piece(table: SwitchTable) -> str:
    return table.rng.choice(list(table.race.field()))


def decide(table: SwitchTable) -> None:
    if not table.decide():
        table.begin()


def astray(table: SwitchTable) -> None:
    """Lift a piece, or set it down anywhere, sometimes in no time."""
    piece, wait = any_piece(table), table.rng.choice((0.1, 0.3, 0.5, 1, 3))
    if piece in table.stands:
        table.lift(piece, wait)
    else:
        table.put(piece, table.rng.randrange(table.sensors), wait)


def right(table: SwitchTable) -> None:
    """Make one half of a move that is due: lift a piece, or set it down where it should stand."""
    wrong = table.wrong()
    if not wrong or not table.race.layout():
        return
    piece = table.rng.choice(wrong)
    target = table.targets()[piece]
    if piece in table.stands:
        table.lift(piece)
    elif target is not None:
        table.put(piece, target)


def blind(table: SwitchTable) -> None:
    """Let some or all switches report nothing; sometimes only for a while."""
    number = table.rng.choice((1, 2, table.sensors))
    table.unknown = set(table.rng.sample(range(table.sensors), number))
    table.show()
    table.wait()
    if table.rng.random() < 0.6:
        table.unknown = set()
        table.show()
        table.wait()


def trust_one(table: SwitchTable) -> None:
    for piece in table.held[:1]:
        table.trust(piece)


HANDS: tuple[Act, ...] = (
    decide,
    decide,
    decide,
    right,
    right,
    right,
    right,
    astray,
    astray,
    blind,
    trust_one,
    SwitchTable.tidy,
    SwitchTable.undo,
    SwitchTable.next,
    SwitchTable.restart,
)

hands = st.lists(st.sampled_from(HANDS), max_size=60)
tables = st.tuples(st.sampled_from(GAMES), st.integers(0, 10**6), st.sampled_from((None, None, 9)))
many = settings(
    max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)


def table_after(made: tuple[str, int, int | None], acts: list[Act]) -> SwitchTable:
    table = SwitchTable(*made)
    for act in acts:
        act(table)
    while not table.race.layout():  # until there is something to put right
        decide(table)
    table.unknown = set()
    table.show()
    return table


def agree(table: SwitchTable) -> None:
    """Assert that all stands right: nothing is held, or a check is reported, and *next* agrees to it."""
    assert table.wrong() == []
    if table.held:
        assert any(report.startswith(CHECK) for report in table.reports), (table.reports, table.stands)
        table.next()
    assert table.held == [], (table.reports, table.stands)


# --- the law -------------------------------------------------------------------------------------


@many
@given(tables, hands)
def test_a_table_put_right_is_not_held_or_says_what_to_check_and_next_agrees(
    made: tuple[str, int, int | None], acts: list[Act]
) -> None:
    table = table_after(made, acts)
    table.tidy()
    agree(table)


@many
@given(tables, hands)
def test_an_obstacle_to_a_game_is_reported_and_ends_by_trusting_the_app(
    made: tuple[str, int, int | None], acts: list[Act]
) -> None:
    table = table_after(made, acts)
    table.wait()
    for fix in table.snapshot.fixes:
        assert fix.piece in table.held or fix.side == "table"
    for piece in table.held:
        table.trust(piece)
    for piece in table.held:  # what one piece was taken for another one is now
        table.trust(piece)
    assert table.held == [], (table.reports, table.stands)


@many
@given(tables, st.lists(st.sampled_from((decide, decide, SwitchTable.tidy)), max_size=40))
def test_hands_that_only_do_what_is_due_in_any_order_never_hold_a_game(
    made: tuple[str, int, int | None], acts: list[Act]
) -> None:
    """That holds also where a piece is set next to one that is still to leave."""
    table = SwitchTable(*made)
    for act in acts:
        act(table)
        if act is SwitchTable.tidy and table.race.layout():
            assert table.held == [], (table.reports, table.stands)


# --- the two faults, as they were found ----------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_a_piece_set_next_to_one_that_is_then_taken_away(seed: int) -> None:
    """A horse goes to where another one stands, which is sent back into the gate, or on."""
    table = SwitchTable("giro-galoppo", seed)
    met = 0
    for _ in range(60):
        decide(table)
        targets = table.targets()
        for piece in table.wrong() if table.race.layout() else []:
            others = [p for p, at in table.stands.items() if at == targets[piece] and targets.get(p) != at]
            if targets[piece] is None or piece not in table.stands or len(others) != 1:
                continue
            table.lift(piece)
            table.put(piece, targets[piece] or 0)
            table.lift(others[0])
            if (goes := targets.get(others[0])) is not None:
                table.put(others[0], goes)
            met += 1
        if table.race.layout():
            table.tidy()
            agree(table)
    assert met


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(5))
def test_pieces_of_the_last_race_that_stand_about_do_not_hold_the_new_one(game: str, seed: int) -> None:
    table = SwitchTable(game, seed)
    for sensor, piece in zip((2, 5, 9, 11), ("red", "blue", "green", "yellow"), strict=True):
        table.stands[piece] = sensor
    table.show()
    table.wait(5)
    table.begin()
    for _ in range(40):
        decide(table)
        if table.race.layout():
            table.tidy()
            agree(table)


# --- the state is a value ------------------------------------------------------------------------

PIECES = ("red", "blue", "green")
sensors = st.integers(0, 5)
places = st.one_of(st.none(), sensors)
expectations = st.builds(
    Expected, st.dictionaries(st.sampled_from(PIECES), places), st.frozensets(sensors, max_size=1)
)
seconds = st.floats(0, 3)


def events(now: float) -> st.SearchStrategy[Event]:
    spaces = st.lists(st.sampled_from((True, False, None)), min_size=6, max_size=6)
    return st.one_of(
        st.builds(lambda spaces_now: SwitchesRead(dict(enumerate(spaces_now)), now), spaces),
        st.builds(lambda match, at: Compared(match, PIECES, at, now), st.integers(1, 2), expectations),
        st.just(NoMatch(now)),
        st.just(Decided()),
        st.just(Checked()),
        st.builds(HeldToPad, st.sampled_from(PIECES)),
    )


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.data())
def test_a_step_changes_no_state_and_keeps_every_piece_once(data: st.DataObject) -> None:
    """After any events in any order the state before is as it was, and a piece in a hand stands nowhere."""
    state, now = Occupancy(), 0.0
    for _ in range(data.draw(st.integers(0, 30))):
        now += data.draw(seconds)
        before = copy.deepcopy(state)
        after = step(state, data.draw(events(now)))
        assert state == before
        assert len(set(after.in_hand)) == len(after.in_hand)
        assert all(after.at[piece] is None for piece in after.in_hand)
        assert after.stands.keys() in (set(), set(PIECES))
        assert set(after.joined) <= after.stands.keys()
        state = after


def test_the_same_events_give_the_same_state() -> None:
    happened: list[Event] = [
        SwitchesRead({0: True, 1: False}, 1.0),
        Compared(1, ("red",), Expected({"red": 0}), 2.0),
        Decided(),
    ]
    first, second = Occupancy(), Occupancy()
    for event in happened:
        first, second = step(first, event), step(second, event)
    assert first == second
    assert first.at == {"red": 0}


def test_a_piece_that_waits_where_others_do_stands_on_no_switch() -> None:
    """If pieces wait over a switch that is closed, it may be any of them."""
    crowd = Occupancy(expected=Expected({}, frozenset({0})), stands={"red": Stand(4)})
    assert crowd.after_going_unseen("red", 0).at == {"red": None}
    assert crowd.after_going_unseen("red", 5).at == {"red": 5}


def test_a_piece_that_was_assumed_to_stand_somewhere_is_felt_where_it_is_set_next() -> None:
    silent = Occupancy(switches=Switches({5: Switch(None, 0, settled=None)}), stands={"red": Stand(4)})
    assumed = silent.after_going_unseen("red", 5)
    assert (assumed.stands["red"].at, assumed.stands["red"].assumed) == (5, True)
    assert not assumed.after_setting("red", 3).stands["red"].assumed


def test_a_decision_by_tap_is_what_the_table_expects_next() -> None:
    table = SwitchTable("galloping-pigs", 1)
    seat = table.race.awaits().seats[0]  # type: ignore[union-attr]  # a new race awaits a line-up
    table.decide(Decision("line-up", seat, ("red", "blue", "green", "yellow", "pink")))
    assert len(table.held) == 5
    table.tidy()
    assert table.held == []


def test_one_magnet_may_close_a_switch_and_the_next_also_over_the_end_of_a_loop() -> None:
    switches = Switches({sensor: Switch(False, 0, False) for sensor in range(22)})
    neighbours = {other for other in range(22) if switches.are_adjacent(21, other)}
    assert neighbours == {20, 0}
    assert [switches.are_adjacent(0, other) for other in (1, 21, 20, 2)] == [True, True, False, False]


def test_a_piece_is_still_while_another_one_is_set_down() -> None:
    """Only a switch that has just closed under it, or might have, makes a piece one that moves."""
    switches = Switches({4: Switch(True, 0, True), 9: Switch(True, 5, None)})
    moving = Occupancy(switches=switches, stands={"red": Stand(4), "blue": Stand(9)})
    assert [moving.is_still(piece) for piece in ("red", "blue", "pink")] == [True, False, False]
