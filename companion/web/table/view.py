"""A picture of the table as the API and the pages have it, in a viewer's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from companion.games.panel import Cell, Panel
from companion.games.presenter import presented
from companion.games.race import Race
from companion.games.terms import Decision, News, Place
from companion.match.change import told
from companion.match.match import Match
from companion.match.record import awaited, decision_line, standings
from companion.match.turn import Turn
from companion.message import N_, Sentence
from companion.odds.chance import Chance, Event
from companion.referee.told import Gathered, Todo
from companion.table.picture import Fix, Picture, last_turn
from companion.translate import Part, Words
from companion.web.course import scenes

STORY_LINES = 8
STORY_NEWS = 6  # told in one line; the panels tell all of a round or a settlement


def table(picture: Picture, words: Words) -> dict[str, Any]:
    """The public table: what `GET /api/table` and the event `table` say."""
    match = picture.match
    race = match.race.seen_by(None) if match else None
    return {
        "seq": picture.seq,
        "match": _match(match) if match else None,
        "next": awaited(race) if race else None,
        "standings": standings(race) if race else [],
        "state": race.state() if race else None,
        "layout": {piece: _place(place) for piece, place in race.layout().items()} if race else {},
        "todo": [_task(task, words, race) for task in picture.todo],
        "news": [{"kind": kind, "text": text} for kind, text in _news(match, words)],
        "alerts": alerts(picture, words),
        "parts": {part: told.state for part, told in (picture.parts or {}).items()},
        "odds": _odds(picture),
        "mock": picture.mock,
    }


def _match(match: Match) -> dict[str, Any]:
    return {
        "id": match.id,
        "game": match.header.game,
        "seats": list(match.header.seats),
        "options": plain(dict(match.header.options)),
        "colours": list(match.colours),
        "bots": list(match.bots),
    }


def plain(value: Any) -> Any:
    """An option as JSON has it; odds with decimals are exact in the record only."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, list | tuple) else value


def _place(place: Place | None) -> dict[str, Any] | None:
    return None if place is None else {"zone": place.zone, "space": place.space}


def _task(task: Todo, words: Words, race: Race | None) -> dict[str, Any]:
    return {
        "piece": task.piece,
        "from": _place(task.start),
        "to": _place(task.to),
        "held": task.held,
        "text": words.text(task.text, race),
    }


def _news(match: Match | None, words: Words) -> Iterable[tuple[str, str]]:
    if match is None:
        return
    for news in match.happened(None):
        yield news.kind, words.text(said(news, match.race), match.race)


def said(news: News, race: Race) -> Sentence:
    """A piece of news of the game or of its decisions as a sentence."""
    return Sentence(_MEANWHILE[news.kind]) if news.kind in _MEANWHILE else presented(race).said(news)


def alerts(picture: Picture, words: Words) -> list[dict[str, str]]:
    """What people should know: refused cards, strange tags, parts that are lost or not there."""
    match = picture.match
    race = match.race if match else None
    told = [{"kind": a.kind, "part": a.part, "text": words.text(a.text, race)} for a in picture.alerts]
    if picture.enrolment is not None and match is not None and not match.finished:
        told.append({"kind": "wait", "part": "pad", "text": words(_PAD_IS_TAKEN)})
    for part in (picture.parts or {}).values():
        if part.why is not None:
            kind = "fault" if part.state == "ok" else part.state
            told.append({"kind": kind, "part": part.part, "text": words.text(part.why, race)})
    return told


def _odds(picture: Picture) -> dict[str, Any] | None:
    if not picture.odds:
        return None
    newest = picture.odds[-1]
    chances = [
        {
            "what": c.event.what,
            "seat": c.event.seat,
            "pieces": list(c.event.pieces),
            "p": c.p,
            "error": c.error,
        }
        for c in newest.chances
    ]
    return {"seq": newest.seq, "chances": chances, "exact": all(c.error == 0 for c in newest.chances)}


# --- the page ------------------------------------------------------------------------------------


def page(picture: Picture, words: Words, join: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Everything the pages draw: the event `page`."""
    match = picture.match
    shown: dict[str, Any] = {
        "seq": picture.seq,
        "mock": picture.mock,
        "alerts": alerts(picture, words),
        "parts": {part: told.state for part, told in (picture.parts or {}).items()},
        "join": {**join, "text": words(_SCAN)} if join else None,
    }
    if match is None:
        nothing: dict[str, Any] = dict.fromkeys(_EMPTY_NONE) | {key: [] for key in _EMPTY_LISTS}
        return (
            shown
            | nothing
            | {"say": _said(words, Sentence(_NO_GAME), None, "idle"), "actions": _no_actions()}
        )
    race = match.race.seen_by(None)
    says = presented(race)
    return shown | {
        "match": _match(match)
        | {"title": words(race.title), "animal": race.animal, "finished": match.finished, "deal": match.deal}
        | {"colours": [race.own_piece(seat) for seat in range(len(race.seats))]},
        "course": {key: value for key, value in race.track().items() if key != "food"},
        "pieces": [
            {"piece": piece, "label": words.piece(piece, race), "zone": place.zone, "space": place.space}
            for piece, place in race.layout().items()
        ],
        "seen": picture.seen,
        "food": race.track().get("food", []),
        "say": _say(picture, match, race, words),
        "due": due.do if (due := race.awaits()) else None,
        "moves": [_move(task, match, race) for task in picture.todo],
        "round": {"text": words.text(stage, race), **stage.values} if (stage := says.stage()) else None,
        "stock": (supply := says.supply()) and supply.values.get("count"),
        "stockText": supply and words.text(supply, race),
        "standings": _standings(race),
        "heads": {"provisional": words(_NOT_SAFE), "kept": words(_HEADS[race.unit])},
        "unit": race.unit,
        "panels": [worded_panel(panel, race, words) for panel in _panels(picture, race)],
        "usedCards": picture.used_cards if presented(race).used_cards() else None,
        "gathered": [_gathered(gathered, race) for gathered in picture.gathered],
        "reward": _reward(match, race, words),
        "roundEnd": _round_end(match, words) if race.sums_up else None,
        "story": _story(match, words),
        "odds": _odds_rows(picture, race, words),
        "luck": _luck(picture, race, words),
        "explaining": picture.explaining if presented(race).explains else None,
        "explain": _explain(picture, race, words),
        "actions": _actions(picture, match, race, words),
    }


_EMPTY_NONE = (
    "match",
    "due",
    "course",
    "seen",
    "round",
    "stock",
    "stockText",
    "heads",
    "reward",
    "roundEnd",
    "odds",
    "luck",
    "unit",
    "usedCards",
    "explaining",
    "explain",
)
_EMPTY_LISTS = ("pieces", "food", "moves", "standings", "story", "panels", "gathered")


def _no_actions() -> dict[str, Any]:
    return {"undo": None, "redo": None, "confirm": None, "trust": [], "tap": None, "taps": []}


def _panels(picture: Picture, race: Race) -> list[Panel]:
    used = presented(race).used_cards() if picture.used_cards else None
    return [*presented(race).panels(), *([used] if used else [])]


def worded_panel(panel: Panel, race: Race, words: Words) -> dict[str, Any]:
    """A panel, every cell as the parts of a sentence."""
    title = words.text(panel.title, race)
    return {
        "name": panel.name,
        "title": title[:1].upper() + title[1:],
        "over": [{"cell": _cell(cell, race, words), "columns": columns} for cell, columns in panel.over],
        "head": [_cell(cell, race, words) for cell in panel.head],
        "grouped": panel.grouped,
        "rows": [[_cell(cell, race, words) for cell in row] for row in panel.rows],
    }


def _cell(cell: Cell, race: Race, words: Words) -> list[Part]:
    if cell is None:
        return []
    if isinstance(cell, Decimal):
        return [words.number(cell)]
    if not isinstance(cell, Sentence):
        return [str(cell)]
    return words.parts(cell, race, alone=True)


def _gathered(gathered: Gathered, race: Race) -> dict[str, Any]:
    """A set that is being shown card by card."""
    seat, numbers = gathered.part.seat, list(gathered.numbers.values())
    return {"seat": seat, "name": race.seats[seat], "numbers": numbers, "needed": gathered.part.needed}


def _said(
    words: Words, sentence: Sentence, race: Race | None, tone: str, picture: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    return {"tone": tone, "parts": _capital(words.parts(sentence, race)), "then": [], "picture": picture}


def _capital(parts: list[Part]) -> list[Part]:
    """The parts of a sentence that begins with a capital letter."""
    if parts and isinstance(parts[0], str):
        return [parts[0][:1].upper() + parts[0][1:], *parts[1:]]
    if parts and isinstance(parts[0], dict):
        return [{**parts[0], "text": parts[0]["text"][:1].upper() + parts[0]["text"][1:]}, *parts[1:]]
    return parts


def _sketch(
    seat: int | None, piece: str | None = None, to: int | None = None, text: str = ""
) -> dict[str, Any]:
    """The sentence as a picture: who, which animal, where to."""
    return {"seat": seat, "piece": piece, "arrow": to is not None, "to": to, "toText": text}


def _say(picture: Picture, match: Match, race: Race, words: Words) -> dict[str, Any]:
    """The one big sentence: what is wrong, else what is to be moved, else what is due."""
    awaited_now = race.awaits()
    seat = awaited_now.seats[0] if awaited_now and len(awaited_now.seats) == 1 else None
    if picture.alerts and picture.alerts[0].kind != "held":
        return _said(words, picture.alerts[0].text, race, "wrong", _sketch(seat))
    if picture.early is not None:
        return _say_early(picture.early, race, words)
    if awaited_now is None:
        said = _said(words, victory(race), race, "end", _sketch(race.standings()[0].seat))
        after = presented(race).epilogue() or (picture.todo[0].text if picture.todo else None)
        said["then"] = _capital(words.parts(after, race)) if after is not None else []
        return said
    prompt = _prompt(match, race)
    if picture.todo and not all(_to_set_up(task, race) for task in picture.todo):
        said = _say_task(picture, match, race, words)
        if picture.alerts:
            said["then"] = _capital(words.parts(picture.alerts[0].text, race))
        else:
            next_move = next((task.text for task in picture.todo[1:] if task.start is not None), None)
            following = next_move or prompt
            said["then"] = words.parts(Sentence(_THEN, {"then": following}), race)
        return said
    if picture.offer is not None:
        return _say_offer(picture.offer.decision, race, words)
    assert prompt is not None
    said = _said(words, prompt, race, "now", _sketch(seat))
    if picture.gathered:
        said["then"] = _capital(words.parts(_count_of(picture.gathered[-1]), race))
    elif picture.todo:
        said["then"] = _capital(words.parts(Sentence(_BEFORE, {"then": picture.todo[0].text}), race))
    return said


def _prompt(match: Match, race: Race) -> Sentence | None:
    """What is due; of a seat that the companion plays, that it is thinking."""
    due = race.awaits()
    if due is not None and due.seats and all(match.bots[seat] for seat in due.seats):
        return Sentence(_BOT_THINKS, {"seat": due.seats[0]})
    return presented(race).prompt()


def _to_set_up(task: Todo, race: Race) -> bool:
    """Whether a piece goes where it begins and nobody looks: that needs no sentence of its own."""
    to_start = task.piece in race.unsensed()
    return not task.held and (to_start or (task.start is None and task.to.zone != "track"))


def _count_of(gathered: Gathered) -> Sentence:
    """How far a set is shown, with its numbers: a wrong card is laid again or taken back."""
    numbers = ", ".join(str(number) for number in gathered.numbers.values())
    values = {"seat": gathered.part.seat, "count": len(gathered.numbers), "needed": gathered.part.needed}
    return Sentence(_GATHERED, {**values, "numbers": numbers})


def _say_offer(decision: Decision, race: Race, words: Words) -> dict[str, Any]:
    """The pieces that lie there, in order, and the question whether they are meant."""
    said = _said(words, Sentence(_IS_THIS, {"seat": decision.seat}), race, "now", _sketch(decision.seat))
    said["then"] = [words(_PRESS_OK)]
    for piece in decision.what:
        said["parts"] += [" ", {"piece": piece, "text": words(piece)}]
    return said


def _say_early(decision: Decision, race: Race, words: Words) -> dict[str, Any]:
    """A piece was moved before its card."""
    stood, stands = race.layout(), race.after(decision).layout()
    piece = next(piece for piece in stands if stood.get(piece) != stands[piece])
    at, back = stands[piece], stood[piece]
    values = {
        "piece": piece,
        "space": at.space,
        "card": decision.what,
        "space_back": back.space,
        "seat": decision.seat,
    }
    sketch = _sketch(decision.seat, piece, at.space, words.space(at.space or 0, race))
    return _said(words, Sentence(_EARLY, values), race, "wrong", sketch)


def _say_task(picture: Picture, match: Match, race: Race, words: Words) -> dict[str, Any]:
    """The first piece to move, one on a wrong space before all; after a card what the move brings."""
    wrong = [task for task in picture.todo if task.start != task.to and _stands_wrong(task, match)]
    if wrong:
        to = wrong[0].to.space
        sketch = _sketch(None, wrong[0].piece, to, words.space(to, race) if to is not None else "")
        return _said(words, wrong[0].text, race, "wrong", sketch)
    task, turn = picture.todo[0], last_turn(match)
    to = task.to.space
    sketch = _sketch(None, task.piece, to, words.space(to, race) if to is not None else "")
    news = turn.race.seen_by(None).news if turn is not None else ()
    mover = next(
        (n.values["seat"] for n in news if n.kind == "moved" and n.values["piece"] == task.piece), None
    )
    if turn is None or mover is None or to is None:
        return _said(words, task.text, race, "wrong" if task.held else "now", sketch | {"seat": mover})
    values = {"seat": mover, "piece": task.piece, "space": to, "card": turn.decision.what}
    robot = turn.by == "bot" and turn.decision.seat == mover and race.one_card_at_a_time
    sentences = [Sentence(_BOT_PLAYED if robot else _PLAYED, values)]
    if race.one_card_at_a_time:  # else one card moves many pieces, and the panels tell the rest
        sentences += [presented(race).said(n) for n in news if n.kind not in _SAID_ELSEWHERE]
    said = _said(words, sentences[0], race, "now", sketch | {"seat": mover})
    for sentence in sentences[1:]:
        said["parts"] += [". ", *_capital(words.parts(sentence, race))]
    return said


_SAID_ELSEWHERE = ("moved", "dealt", "round-over", "game-over")


def victory(race: Race) -> Sentence:
    """Who has won a game that is over."""
    first = [standing for standing in race.standings() if standing.place == 1]
    names = ", ".join(standing.name for standing in first)
    score = first[0].score if first else 0
    kind = "won" if len(first) == 1 else "shared"
    return presented(race).said(
        News(kind, {"seat": first[0].seat if first else 0, "names": names, "score": score})
    )


def _move(task: Todo, match: Match, race: Race) -> dict[str, Any]:
    start = task.start.space if task.start else None
    to = task.to.space
    onward = match.last == "decide" and task.start == (match.before or {}).get(task.piece)
    return {
        "piece": task.piece,
        "from": start,
        "at": task.start.zone if task.start else None,
        "to": to,
        "zone": task.to.zone,
        "held": task.held,
        "over": over(start, to, race.track(), onward),
    }


def over(start: int | None, to: int | None, track: Mapping[str, Any], onward: bool) -> list[int]:
    """The spaces between two others; `onward`: a loop is run the way of the race, however far that is."""
    spaces = track["spaces"]
    if start is None or to is None:
        return []
    if track["kind"] != "loop":
        return list(range(start + 1, to)) or list(range(start - 1, to, -1))
    if onward:
        return [(start + n) % spaces for n in range(1, (to - start) % spaces)]
    return _way(start, to, spaces)


def _way(start: int, to: int, spaces: int) -> list[int]:
    """The spaces between, the shorter way round: a piece put right goes back where it came from."""
    ahead, back = (to - start) % spaces, (start - to) % spaces
    if ahead <= back:
        return [(start + n) % spaces for n in range(1, ahead)]
    return [(start - n) % spaces for n in range(1, back)]


def _standings(race: Race) -> list[dict[str, Any]]:
    due = race.awaits()
    now = due.seats if due else ()
    rows = []
    for standing in race.standings():
        held = {"provisional": None, "played": None, "cards": None, **presented(race).holdings(standing.seat)}
        last = presented(race).last_card(standing.seat)
        rows.append(
            standing._asdict()
            | held
            | {"kept": standing.score, "now": standing.seat in now, "lastCard": last}
        )
    return rows


def _reward(match: Match, race: Race, words: Words) -> dict[str, Any] | None:
    """The reward of the last card that was just played."""
    turn = last_turn(match)
    if turn is None:
        return None
    for news in turn.race.seen_by(None).news:
        if news.kind in ("kept", "lost"):
            seat = news.values["seat"]
            return {
                "key": str(turn.seq),
                "seat": seat,
                "name": race.seats[seat],
                "kind": news.kind,
                "count": news.values.get("count", news.values.get("loss")),
                "parts": _capital(words.parts(presented(race).said(news), race)),
            }
    return None


def _round_end(match: Match, words: Words) -> dict[str, Any] | None:
    """What the round that was just finished brought each seat, until the next decision."""
    turn = last_turn(match)
    over = [n for n in turn.race.seen_by(None).news if n.kind == "round-over"] if turn else []
    if turn is None or not over:
        return None
    earlier = [
        t.race.scores()
        for t in match.turns
        if t.seq < turn.seq and any(n.kind == "round-over" for n in t.race.news)
    ]
    race, before = turn.race, earlier[-1] if earlier else [0] * len(match.race.seats)
    rows = [
        {"seat": s.seat, "name": s.name, "won": s.score - before[s.seat], "score": s.score}
        for s in race.standings()
    ]
    title = words.text(presented(race).said(over[0]), race)
    return {"key": str(turn.seq), "title": title[:1].upper() + title[1:], "rows": rows}


def _story(match: Match, words: Words) -> list[dict[str, Any]]:
    """What happened lately, newest first, as everybody may know it."""
    told = []
    for turn in reversed(match.turns):
        line = story_line(turn, words)
        if line is not None:
            told.append(line)
        if len(told) == STORY_LINES:
            break
    return told


def story_line(turn: Turn, words: Words) -> dict[str, Any] | None:
    """What a decision brought, in a line; None if everybody knew it before, or nobody may know it yet."""
    news = [n for n in turn.race.seen_by(None).news if n.kind != "game-over"]
    if not news:
        return None
    gain = sum(n.values.get("gain", 0) - n.values.get("loss", 0) for n in news)
    seat, piece = turn.decision.seat, next((n.values["piece"] for n in news if "piece" in n.values), None)
    parts = in_a_line([presented(turn.race).said(n) for n in news], turn.race, words)
    return {"key": str(turn.seq), "seat": seat, "piece": piece, "parts": parts, "gain": gain}


def in_a_line(sentences: Sequence[Sentence], race: Race, words: Words) -> list[Part]:
    """Several sentences as one, the first few of them."""
    parts: list[Part] = []
    for sentence in sentences[:STORY_NEWS]:
        parts += [", " if parts else "", *words.parts(sentence, race)]
    parts.append(" …" if len(sentences) > STORY_NEWS else "")
    return [part for part in parts if part]


def _odds_rows(picture: Picture, race: Race, words: Words) -> dict[str, Any] | None:
    """The tote board: each seat's chance to win, over time too, and what else the game has."""
    if picture.no_odds is not None:
        off = {"title": words(_WHO_MAY_WIN), "note": "", "old": False, "rows": [], "also": None}
        return off | {"pieces": [], "pairs": [], "off": words.text(picture.no_odds)}
    if not picture.odds or picture.match is None:
        return None
    newest = picture.odds[-1]
    now = {c.event: c for c in newest.chances}
    also = next((what for what in _ALSO if any(event.what == what for event in now)), None)
    old = newest.seq != picture.match.seq
    exact = all(c.error == 0 for c in newest.chances if c.event.what == "win" and c.event.seat is not None)
    return {
        "title": words(_WHO_MAY_WIN),
        "note": words(_COMING if old else _EXACT if exact else _LIVE),
        "old": old,
        "rows": sorted(
            (_odds_row(picture, race, seat, also) for seat in range(len(race.seats))), key=lambda r: -r["p"]
        ),
        "also": also and words(_ALSO[also]),
        **_bets_now(race, now),
        "off": None,
    }


def _luck(picture: Picture, race: Race, words: Words) -> dict[str, Any] | None:
    """Luck against choice, once the game is over and looked back on."""
    if picture.luck is None:
        return None
    return {
        "title": words.text(picture.luck.title, race),
        "seats": [words.text(sentence, race) for sentence in picture.luck.seats],
        "moments": [words.text(sentence, race) for sentence in picture.luck.moments],
    }


def _explain(picture: Picture, race: Race, words: Words) -> dict[str, Any] | None:
    """What is explained now, in a first game, with its picture if the rules have one."""
    key = picture.explain
    if key is None:
        return None
    return {
        "key": key,
        "text": words(presented(race).explains[key]),
        "scene": scenes.explaining(type(race), key),
    }


def _odds_row(picture: Picture, race: Race, seat: int, also: str | None) -> dict[str, Any]:
    win = Event("win", seat)
    line = [c.p for odds in picture.odds for c in odds.chances if c.event == win]
    now = {c.event: c for c in picture.odds[-1].chances}
    other = now.get(Event(also, seat)) if also else None
    return {
        "seat": seat,
        "name": race.seats[seat],
        "p": now[win].p,
        "error": now[win].error,
        "line": line,
        "also": other and {"p": other.p, "error": other.error},
    }


def _bets_now(race: Race, now: Mapping[Event, Chance]) -> dict[str, Any]:
    """How likely each bet is won, beside what it pays: by piece, and by pair."""
    bets: list[dict[str, Any]] = [
        {"what": bet.kind, "pieces": list(bet.pieces), "pays": str(bet.odds), "p": c.p, "error": c.error}
        for bet in race.payouts()
        for c in now.values()
        if c.event.what == bet.kind and set(c.event.pieces) == set(bet.pieces)
    ]
    single = list(dict.fromkeys(bet["pieces"][0] for bet in bets if len(bet["pieces"]) == 1))
    return {
        "pieces": [
            {"piece": piece} | {bet["what"]: bet for bet in bets if bet["pieces"] == [piece]}
            for piece in single
        ],
        "pairs": [bet for bet in bets if len(bet["pieces"]) == 2],
    }


def _actions(picture: Picture, match: Match, race: Race, words: Words) -> dict[str, Any]:
    taps = [] if match.private() else _taps(match, race, words)
    return {
        "undo": undo(picture, match, words),
        "redo": _redo(match, words),
        "confirm": {"text": words(_CONFIRM)} if picture.offer else None,
        "trust": _trust(picture, match, race, words),
        "tap": taps[0] if len(taps) == 1 else None,
        "taps": taps,
    }


def undo(picture: Picture, match: Match, words: Words) -> dict[str, str] | None:
    """What an undo takes back; the last card of a set that is being shown goes first."""
    if picture.gathered:
        number = list(picture.gathered[-1].numbers.values())[-1]
        return {"text": words.text(Sentence(_TAKE_CARD_BACK, {"card": number}))}
    if match.takes_change_back():
        was = match.changes[-1].was
        at = match.place_of(was.seq)
        return _about(_TAKE_CHANGE_BACK, was if at is None else match.turns[at], words)
    group = match.last_group()
    return _about(_TAKE_BACK, group[0], words) if group else None


def _redo(match: Match, words: Words) -> dict[str, str] | None:
    if not match.undone:
        return None
    again = match.undone[-1]
    if len(again.changes) > len(match.changes):
        return _about(_CHANGE_AGAIN, again.changes[-1].was, words)
    return _about(_PUT_AGAIN, again.turns[len(match.turns)], words)


def _about(text: str, turn: Turn, words: Words) -> dict[str, str]:
    """A button's text: what it would take back or put back, in public words."""
    then = told(turn, turn.secret)
    return {"text": words.text(Sentence(text, {"then": then}), turn.race)}


def _trust(picture: Picture, match: Match, race: Race, words: Words) -> list[dict[str, Any]]:
    """The ways to agree, once a piece is where it should not be; `wrong`: about that piece, or all the table.

    The others are about pieces that were only not moved yet: they are there for whoever asks for them.
    """
    astray = {task.piece for task in picture.todo if _stands_wrong(task, match)}
    if not astray:
        return []
    return [
        {**_fix(fix, race, words), "wrong": fix.side == "table" or fix.piece in astray}
        for fix in picture.fixes
    ]


def _stands_wrong(task: Todo, match: Match) -> bool:
    """Whether a piece was put where it should not be, or fell off: more than just not moved yet."""
    stood = (match.before or {}).get(task.piece)
    return task.held and (stood == task.to if task.start == task.to else task.start != stood)


def _fix(fix: Fix, race: Race, words: Words) -> dict[str, str]:
    if fix.change == "ignore":
        sentence = Sentence(_TRUST_APP, {"piece": fix.piece})
    elif fix.change == "undo":
        sentence = Sentence(_TRUST_UNDO)
    else:
        assert isinstance(fix.change, Decision)
        sentence = Sentence(_TRUST_CARD, {"seat": fix.change.seat, "card": fix.change.what})
    return {"side": fix.side, "piece": fix.piece, "text": words.text(sentence, race)}


def _taps(match: Match, race: Race, words: Words) -> list[dict[str, Any]]:
    """What can be entered at the table by tap, by each seat that is due and that a person plays."""
    due = race.awaits()
    people = [seat for seat in due.seats if not match.bots[seat]] if due else []
    return [tap(race, due.do, seat, words) for seat in people] if due else []


def tap(race: Race, do: str, seat: int, words: Words) -> dict[str, Any]:
    """A seat's decision: the choices where they can be listed, else what is put together, under which key."""
    form = race.forms[do]
    whose: dict[str, Any] = {"do": do, "seat": seat, "name": race.seats[seat], "key": form.key}
    whose["line"] = {"do": do, "seat": seat} if form.seat else {"do": do}
    if form.key == "order":
        pieces = list(race.pieces if race.owned else race.field())
        return whose | {"pieces": pieces, "labels": [words.piece(piece, race) for piece in pieces]}
    if form.shape is int or form.shape is str:
        return whose | {
            "choices": [_choice(race, decision, words) for decision in presented(race).offered(seat)]
        }
    return whose | {"needed": presented(race).needed(do, seat)}


def _choice(race: Race, decision: Decision, words: Words) -> dict[str, Any]:
    line, form = decision_line(race, decision), race.forms[decision.do]
    if form.key == "space":
        return {"space": decision.what, "label": words.space(decision.what, race), "line": line}
    label = words(str(decision.what))
    return {"piece": decision.what if decision.what in race.pieces else None, "label": label, "line": line}


_PAD_IS_TAKEN = N_("cards and pieces are given their tags: until that is done, tap the cards")
_MEANWHILE = {
    "undone": N_("the last decision was taken back"),
    "changed": N_("an earlier decision was changed"),
}
_NO_GAME = N_("no game yet: start one on the host page")
_SCAN = N_("scan to watch")
_NOT_SAFE = N_("not safe")
_HEADS = {"food": N_("kept"), "money": N_("money"), "": N_("score")}
_GATHERED = N_("{seat}: {count} of {needed} cards: {numbers}. A wrong one? Lay it again.")
_TAKE_CARD_BACK = N_("take back the card {card}")
_THEN = N_("then {then}")
_BEFORE = N_("before that {then} …")
_PLAYED = N_("{seat}: move {piece} to {space}")
_BOT_PLAYED = N_("{seat} plays {card}: move {piece} to {space}")
_EARLY = N_("{piece} was moved to {space}: {seat}, lay the {card} card, or put it back on {space_back}")
_IS_THIS = N_("{seat}, is this the line-up?")
_BOT_THINKS = N_("{seat} is thinking: the companion plays this seat")
_PRESS_OK = N_("front first; press OK, or move them")
_WHO_MAY_WIN = N_("Who may win")
_ALSO = {"keep": N_("keeps its food"), "placed": N_("past the line")}
_LIVE = N_("live")
_EXACT = N_("exact")
_COMING = N_("just a moment")
_TAKE_BACK = N_("take back: {then}")
_PUT_AGAIN = N_("put back: {then}")
_TAKE_CHANGE_BACK = N_("take back the change: {then}")
_CHANGE_AGAIN = N_("change again: {then}")
_CONFIRM = N_("OK, this line-up")
_TRUST_APP = N_("ignore {piece} until it moves")
_TRUST_UNDO = N_("the table is right: take the last decision back")
_TRUST_CARD = N_("the table is right: {seat} played {card}")
