"""The command line: the only file that knows all parts."""

from __future__ import annotations

import gc
import json
import os
import random
import secrets
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unicodedata import category

import click

from companion import __version__
from companion.errors import InvalidInput

if TYPE_CHECKING:
    from companion.devices.recorder import Recorder
    from companion.devices.seen import Tell
    from companion.games.race import Race
    from companion.match.record import Replay
    from companion.settings import Settings
    from companion.store.journal import Journal
    from companion.table.table import Table


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="companion")
def main() -> None:
    """The companion at the table for racing board games."""


# --- records -------------------------------------------------------------------------------------


def _read(file: str) -> bytes:
    """The bytes of FILE (`-`: standard input); ends the command with status 2 if they cannot be read."""
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        click.echo(f"{file}: {error.strerror or error}", err=True)
        raise SystemExit(2) from None


def _one_line(text: str) -> str:
    """Text that holds words of a record as one line for a terminal, which nothing in it can command.

    >>> _one_line("A\\nda")
    'A\\\\nda'
    """
    unseen = ("Cc", "Cs", "Zl", "Zp")
    return "".join(c.encode("unicode_escape").decode() if category(c) in unseen else c for c in text)


def _cannot(directory: Path, error: OSError) -> str:
    return f"the directory {directory} cannot be used: {error.strerror or error}; name another"


def _end(file: str, played: Replay) -> None:
    if played.error is not None:
        click.echo(f"{file}:{played.error.line}: {_one_line(played.error.reason)}", err=True)
        raise SystemExit(1)


@main.command()
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="One JSON object with position, standings and error.")
def replay(file: str, as_json: bool) -> None:
    """Play a race record through the rules; `-` reads standard input."""
    from companion.match.record import replayed

    played = replayed(_read(file))
    if as_json:
        click.echo(json.dumps(played.answer()))
    else:
        for line in _story(played):
            click.echo(_one_line(line))
    _end(file, played)


def _story(played: Replay) -> Iterator[str]:
    """The game told, a line per decision with what followed from it, and the standings."""
    from companion.games.judge import checked
    from companion.games.presenter import presented
    from companion.translate import Words

    if played.header is None:
        return
    words, race = Words.english(), played.header.opening()
    yield f"{words(race.title)}: {', '.join(race.seats)}"
    for number, decision in enumerate(played.decisions, 1):
        race = checked(race, decision)
        shown = presented(race)
        who = f"{race.seats[decision.seat]}: " if decision.seat is not None else ""
        yield f"{number:3}. {who}{', '.join(words.text(shown.said(news), race) for news in race.news)}"
    yield ""
    for standing in race.standings():
        place = "-" if standing.place is None else f"{standing.place}."
        yield f"{place:>3} {standing.name}: {standing.score}"
    prompt = presented(race).prompt()
    if prompt is not None:
        yield f"Next: {words.text(prompt, race)}"


@main.command()
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--seed", default=0, help="Seed of the playouts.")
def odds(file: str, as_json: bool, seed: int) -> None:
    """Every chance at the end of a record, from what the public knows: win, and what else the game has."""
    try:
        from companion.odds.estimate import answers
    except ModuleNotFoundError:
        raise click.ClickException("odds need NumPy: pip install numpy") from None
    from companion.match.record import replayed

    played = replayed(_read(file))
    if played.race is None:
        _end(file, played)
        return
    *_, worked_out = answers(played.race.seen_by(None), seed)
    if as_json:
        told = [{"what": str(c.event), "p": c.p, "error": c.error} for c in worked_out]
        click.echo(json.dumps({"chances": told, "exact": all(c.error == 0 for c in worked_out)}))
    else:
        for c in worked_out:
            seat, pieces = c.event.seat, " and ".join(c.event.pieces)
            name = pieces if seat is None else _one_line(played.race.seats[seat])
            click.echo(f"{c.event.what:7} {name:14} {c.p:6.1%} ± {c.error:.1%}")
    _end(file, played)


@main.command()
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--seed", type=click.IntRange(0), default=0, help="Seed of the playouts.")
def luck(file: str, as_json: bool, seed: int) -> None:
    """Luck against choice in a finished game: what moved each chance, and the moments that decided it."""
    from rich.console import Console
    from rich.progress import track

    try:
        from companion.odds.luck import weighed
        from companion.odds.luck_words import told
    except ModuleNotFoundError:
        raise click.ClickException("luck and choice need NumPy: pip install numpy") from None
    from companion.match.record import replayed
    from companion.translate import Words

    played = replayed(_read(file))
    if played.header is None or played.race is None or played.error is not None:
        _end(file, played)
        return
    errors, steps = Console(stderr=True), weighed(played.header.opening(), played.decisions, seed)
    try:
        number = len(played.decisions) + 1
        *_, last = track(steps, "weighing", number, console=errors, disable=not errors.is_terminal)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    assert last.luck is not None
    words, race, said = Words.english(), played.race, told(last.luck, played.race)
    title = words.text(said.title, race)
    of_seats = [words.text(sentence, race) for sentence in said.seats]
    of_moments = [words.text(sentence, race) for sentence in said.moments]
    if not as_json:
        for line in (title, *of_seats, "", *of_moments):
            click.echo(_one_line(line))
        return
    seats = [
        {"start": account.start, "end": account.end}
        | {part: getattr(account, part)._asdict() for part in ("luck", "own", "others")}
        | {"text": text}
        for account, text in zip(last.luck.seats, of_seats, strict=True)
    ]
    moments = [
        {"at": moment.at, "before": moment.before, "after": moment.after, "text": text}
        for moment, text in zip(last.luck.moments, of_moments, strict=True)
    ]
    click.echo(
        json.dumps({"title": title, "seats": seats, "moments": moments, "playouts": last.luck.playouts})
    )


@main.command("odds-chart")
@click.option("--lap", default=28, show_default=True, help="How many spaces the loop of your game has.")
@click.option(
    "--return", "returned", default=0.85, show_default=True, help="What part of the stakes bets pay back."
)
@click.option("--seats", default=4, show_default=True, help="How many play: with 3 there is a dummy.")
@click.option(
    "--playouts", type=click.IntRange(100, 200_000), default=10_000, show_default=True, help="Evenings run."
)
@click.option("--seed", default=0, show_default=True, help="The same seed works out the same chart.")
@click.option("--json", "as_json", is_flag=True, help="The options lap and odds as one JSON object.")
@click.option("--toml", "as_toml", is_flag=True, help="A chart file for the host page.")
def odds_chart(
    lap: int, returned: float, seats: int, playouts: int, seed: int, as_json: bool, as_toml: bool
) -> None:
    """Work out an odds chart for Greyhounds from simulated races, for your lap and a return of your choice.

    Printed are payouts per dollar, the stake included, and which part of the stakes each bet then pays back
    in races 1, 2 and 3. To play with it, save it (--toml > chart.toml) and load that file on the host page
    under "What is printed in your Greyhounds", or give the object that --json prints as the options of a
    record or of POST /api/matches.

    People who play for their bets change the chances: the dogs are simulated with cards played at random.
    """
    from companion.games.charts import to_toml
    from companion.games.greyhounds.rules import Greyhounds

    try:
        from companion.odds.greyhounds import chart as odds_chart
    except ModuleNotFoundError:
        raise click.ClickException("working an odds chart out needs NumPy: pip install numpy") from None
    try:
        chart = odds_chart.computed(lap, returned, seats, playouts, seed)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    options = {"lap": lap, "odds": chart.given()}
    if as_json:
        click.echo(json.dumps(options, default=float))
    elif as_toml:
        click.echo(to_toml(Greyhounds, options, returned), nl=False)
    else:
        click.echo(f"{'bet':23} pays   race 1   2     3")
        # other races than those it was made from: their luck is not in it
        back = odds_chart.paid_back(chart, odds_chart.chances(lap, seats, playouts, seed + 1))
        for (kind, ranks), races in zip(odds_chart.BETS, back.T, strict=True):
            dogs = " and ".join(f"Dog {rank}" for rank in ranks)
            each = "  ".join(f"{race:4.0%}" for race in races)
            click.echo(
                f"{kind:6} {dogs:15} {chart.of(kind, ranks):>5}   {each}   on average {races.mean():4.0%}"
            )


class _Options(click.ParamType[tuple[str, Any]]):
    """`name=value` of a game's option, the value in JSON."""

    name = "NAME=VALUE"

    def convert(self, value: str, param: Any, ctx: Any) -> tuple[str, Any]:
        """The pair."""
        name, equals, text = value.partition("=")
        try:
            return name, json.loads(text if equals else "true")
        except json.JSONDecodeError:
            self.fail(f"{text!r} is no number, true or false", param, ctx)


@main.command()
@click.argument("game")
@click.option("--seats", type=click.IntRange(1), default=4, show_default=True, help="How many seats.")
@click.option("--games", type=click.IntRange(0), default=100, show_default=True, help="How many games.")
@click.option("--seed", default=0, show_default=True, help="The same seed plays the same games.")
@click.option(
    "--option", "options", multiple=True, type=_Options(), help="An option of the game, such as rounds=1."
)
@click.option(
    "--bots",
    metavar="BOT,…",
    help="Who plays, seat by seat, or one for all seats: random, playful, greedy, careful, thinker; "
    "or by strength: easy, medium, strong.",
)
@click.option("--rotate", is_flag=True, help="The bots move on by a seat from game to game.")
@click.option(
    "--records", type=click.Path(file_okay=False, path_type=Path), help="Write a record per game there."
)
def simulate(
    game: str,
    seats: int,
    games: int,
    seed: int,
    options: tuple[tuple[str, Any], ...],
    bots: str | None,
    rotate: bool,
    records: Path | None,
) -> None:
    """Play games at random, or between bots, through the rules and count who wins."""
    from rich.console import Console
    from rich.progress import track
    from rich.table import Table as Rows

    from companion.match.record import Header, written
    from companion.odds.chance import victory

    header = Header(game, tuple(_names(seats)), 0, dict(options))
    try:
        header.opening()
        players = _bots(bots, seats, rotate)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if records is not None:
        try:
            records.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise click.ClickException(_cannot(records, error)) from None
    won, scored = [0.0] * seats, [0] * seats
    errors = Console(stderr=True)
    for number in track(range(games), "playing", console=errors, disable=not errors.is_terminal):
        # each game has a seed of its own: game 7 of 10 is game 7 of 1000
        turned = number % seats if rotate else 0  # seat 0 is then played by the bot of this number
        at_table = players[turned:] + players[:turned]
        race, decisions = _simulated(header.opening(), at_table, random.Random(f"{seed}/{number}"))
        for seat, part in enumerate(victory(race)):
            row = (seat + turned) % seats
            won[row] += part
            scored[row] += race.scores()[seat]
        if records is not None:
            path = records / f"{game}-{seed}-{number:0{len(str(games - 1))}}.jsonl"
            path.write_text(written(header, decisions), encoding="utf-8")
    heads = [[name] for name in header.seats]
    if players:
        heads = (
            [[bot] for bot in players] if rotate else [[*h, b] for h, b in zip(heads, players, strict=True)]
        )
    rows = Rows(*(["bot"] if rotate else ["seat", "bot"] if players else ["seat"]), "wins", "score")
    for row, head in enumerate(heads):
        rows.add_row(*head, f"{won[row] / max(games, 1):.1%}", f"{scored[row] / max(games, 1):.2f}")
    Console().print(rows)


def _bots(named: str | None, seats: int, rotate: bool) -> tuple[str, ...]:
    """The bot of each seat; () if chance plays. ValueError if these cannot sit there."""
    from companion.bots.players import kind_of

    if named is None:
        if rotate:
            raise InvalidInput("--rotate moves bots from seat to seat: name them with --bots")
        return ()
    bots = tuple(name.strip() for name in named.split(","))
    for bot in bots:
        kind_of(bot)
    if len(bots) not in (1, seats):
        raise InvalidInput(
            f"--bots names {len(bots)}, but there are {seats} seats: name one for each, or one for all"
        )
    return bots if len(bots) == seats else bots * seats


def _simulated(race: Race, bots: tuple[str, ...], rng: random.Random) -> tuple[Race, list[Any]]:
    """A game to its end, played by these bots or, if there are none, at random; and its decisions."""
    from companion.bots.players import next_decision
    from companion.errors import Refusal
    from companion.games.judge import checked
    from companion.games.race import random_decision

    decisions = []
    try:
        while decision := next_decision(race, bots, rng) if bots else random_decision(race, rng):
            decisions.append(decision)
            race = checked(race, decision)
    except Refusal as reason:
        raise click.ClickException(str(reason)) from None
    return race, decisions


def _names(seats: int) -> list[str]:
    return (["Ada", "Ben", "Cleo", "Dev", "Emma"] + [f"Seat {n}" for n in range(6, seats + 1)])[:seats]


# --- the table -----------------------------------------------------------------------------------


def data_directory() -> Path:
    """Where the journal lives if nobody says otherwise."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "race-companion"


_data = click.option(
    "--data", type=click.Path(file_okay=False, path_type=Path), help="Where journal and settings are kept."
)


_settings = click.option(
    "--settings", type=click.Path(dir_okay=False, path_type=Path), help="Default: companion.toml in --data."
)


class _Taken(click.ClickException):
    """Another companion uses the data directory."""


@contextmanager
def _locked(directory: Path) -> Iterator[None]:
    """A data directory, for this program alone."""
    import fcntl

    try:
        directory.mkdir(parents=True, exist_ok=True)
        lock = (directory / "companion.lock").open("w")
    except OSError as error:
        raise click.ClickException(_cannot(directory, error)) from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise _Taken(f"another companion runs with the data in {directory}: stop it first") from None
        yield


@contextmanager
def _journal(directory: Path) -> Iterator[Journal]:
    """The journal in a directory, for this program alone."""
    from companion.store.journal import Journal, JournalError

    with _locked(directory):
        try:
            journal = Journal(directory / "journal.sqlite")
        except JournalError as error:
            raise click.ClickException(str(error)) from None
        try:
            yield journal
        finally:
            journal.close()


@main.command()
@click.option("--mock", is_flag=True, help="Play on modelled hardware: the virtual table is at /mock.")
@click.option(
    "--demo", is_flag=True, help="A PIN and a game to play at once; keeps nothing unless --data is given."
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Where pages are served."
)
@_data
@_settings
@click.option("--record", is_flag=True, help="Write what the sensors say into a file in --data.")
def run(mock: bool, demo: bool, port: int, data: Path | None, settings: Path | None, record: bool) -> None:
    """Referee a table and serve its pages until Ctrl+C."""
    import tempfile

    with ExitStack() as stack:
        if data is None and demo:
            data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="companion-demo-")))
        data = data or data_directory()
        machine = _machine(settings, data, mock)
        journal = stack.enter_context(_journal(data))
        _serve(journal, machine, data, port, mock, demo, record)


def _machine(settings: Path | None, data: Path, mock: bool) -> Settings:
    """The machine as companion.toml describes it."""
    from companion.settings import MOCK, Settings, SettingsError, load

    if settings is not None and not settings.exists():
        raise click.ClickException(f"there are no settings at {settings}: name another file")
    try:
        return load(settings or data / "companion.toml", MOCK if mock else Settings())
    except SettingsError as error:
        raise click.ClickException(str(error)) from None


def _serve(
    journal: Journal, machine: Settings, data: Path, port: int, mock: bool, demo: bool, record: bool = False
) -> None:
    """Build table, parts, odds and pages, in this order, and take them down in the opposite one."""
    from companion.devices.pi_health import Pi
    from companion.devices.recorder import Recorder
    from companion.diagnostics.instruments import Instruments
    from companion.diagnostics.latency import Latency
    from companion.table.messages import NoOdds
    from companion.table.table import Table
    from companion.translate import Words
    from companion.web import create_app
    from companion.web.serve import Server, Site, listen, own_address
    from companion.web.stream import Hub
    from companion.worker.oracle import Oracle, missing

    try:
        listening = listen(port)
    except OSError as error:
        raise click.ClickException(f"port {port}: {error.strerror}; choose another with --port") from None
    port = listening.getsockname()[1]
    with ExitStack() as stack:
        if mock:
            _learn_demo_tags(journal)
        table = Table(journal, mock=mock).open()
        hand, parts = _parts(machine, data, mock)
        pin = _begin_demo(table, hand) if demo else None
        if (why := missing()) is not None:
            click.echo(f"odds: {Words.english().text(why)}", err=True)
            table.tell(NoOdds(why))
        else:
            oracle = Oracle(table.tell)
            stack.callback(oracle.stop)
            table.consult(oracle)
        table.signals = parts.get("panel")
        table.look()
        if hand is not None:
            hand.start()
            stack.callback(hand.stop)
        pi = Pi(spi=(machine.spi_bus, machine.spi_device))
        recorder, latency = Recorder(data), Latency(table.picture.seq)
        table.listeners.append(latency.published)
        tell = latency.around(recorder.around(_aloud(table.tell)))
        table.start()
        stack.callback(table.stop)
        pi.start()
        stack.callback(pi.stop)
        if record:
            _record(recorder)
        stack.callback(recorder.stop)
        for part in parts.values():
            part.start(tell)
            stack.callback(part.stop)
        address = f"http://{own_address()}:{port}"
        hub = Hub(table, address, machine.hosts)
        app = create_app(
            table,
            mock=hand,
            hosts=machine.hosts,
            address=address,
            parts=parts,
            instruments=Instruments(pi, recorder, latency),
        )
        server = Server(Site(app, hub), [listening])
        _greet(address, port, mock, pin)
        # what was built by now stays: without this, each full collection walks it and everything waits
        gc.collect()
        gc.freeze()
        server.serve_here()


def _record(recorder: Recorder) -> None:
    recorder.start()
    if recorder.why is None:
        click.echo(f"what the sensors say is written to {recorder.path}")
    else:
        click.echo(f"what the sensors say cannot be written: {recorder.why}", err=True)


def _aloud(tell: Tell) -> Tell:
    """Tell the table, and say on the console what is wrong with a part."""
    from companion.devices.seen import PartIs
    from companion.translate import Words

    def said(message: Any) -> None:
        if isinstance(message, PartIs) and message.why is not None:
            click.echo(f"{message.part}: {Words.english().text(message.why)}", err=True)
        tell(message)

    return said


def _parts(machine: Settings, data: Path, mock: bool) -> tuple[Any, dict[str, Any]]:
    """The virtual table (in mock mode) and the parts of the table by name."""
    if mock:
        from companion.devices.mock.virtual_table import parts as mock_parts

        hand, pad, track, panel = mock_parts(machine, data / "mock-table.json")
        found = {"pad": pad, "track": track, "panel": panel}
        return hand, {name: part for name, part in found.items() if part is not None}
    parts: dict[str, Any] = {}
    if machine.pad:
        from companion.devices.pad import Pad

        parts["pad"] = Pad(machine.spi_bus, machine.spi_device, machine.pins["pad_reset"])
    if machine.track.kind != "none":
        from companion.devices.track import Track

        port, sensors = machine.track.port, machine.track
        parts["track"] = Track(
            (lambda: port) if port else None,
            sensors.spaces,
            kind=sensors.kind,
            powers=sensors.powers,
            warm=sensors.antennas,
        )
    if machine.panel:
        from companion.devices.panel import Panel

        parts["panel"] = Panel(machine.pins)
    return None, parts


def _learn_demo_tags(journal: Journal) -> None:
    """The virtual table's tags are known from the start."""
    from companion.devices.mock.tags import DEMO_SET

    known = journal.tags()
    enrolled = set(known.values())  # anew, with blank tags
    journal.bind({u: means for u, means in DEMO_SET.items() if u not in known and means not in enrolled})


def _begin_demo(table: Table, hand: Any) -> str:
    """A PIN and a game of Galloping Pigs for four, its pieces lying on the line-up spaces."""
    from companion.match.record import Header
    from companion.web.roles import Pin

    pin = f"{secrets.randbelow(10_000):04}"
    Pin(table).choose(pin)
    if table.match is None:
        asked = {"game": "galloping-pigs", "seats": _names(4), "start": 0, "options": {"food_on_track": True}}
        table.begin(Header("galloping-pigs", tuple(_names(4)), 0, {"food_on_track": True}))
        table.preferences.remember_game({**asked, "deal": "people"})
        table.play.explain(True)
        if hand is not None:
            _line_up(table, hand)
    return pin


def _line_up(table: Table, hand: Any) -> None:
    assert table.match is not None
    race, pieces = table.match.race, {}
    for uid, means in table.journal.tags().items():
        game, _, rest = means.partition("/piece/")
        if game == race.name and rest:
            pieces[rest] = uid
    for place, piece in enumerate(race.pieces):
        hand.put_on_space(-place % race.track()["spaces"], [pieces[piece]])


def _greet(address: str, port: int, mock: bool, pin: str | None) -> None:
    """Address, QR code and PIN on the console."""
    import segno

    if sys.stdout.isatty():
        segno.make(f"{address}/watch", micro=False).terminal(compact=True)
    click.echo(f"the table page:  http://localhost:{port}/    from other devices:  {address}/")
    click.echo(f"phones watch at: {address}/watch    the host's page: {address}/host")
    if mock:
        click.echo(f"MOCK hardware:   the virtual table is at http://localhost:{port}/mock")
    if pin is not None:
        click.echo(f"PIN for host and table: {pin}")
    click.echo("Ctrl+C ends it; what was confirmed is kept.")


# --- the hardware --------------------------------------------------------------------------------


@main.command()
@click.option("--mock", is_flag=True, help="Look at the modelled hardware.")
@_data
@_settings
@click.option(
    "--seconds", type=click.FloatRange(1, 600), default=5.0, show_default=True, help="How long to look."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def doctor(mock: bool, data: Path | None, settings: Path | None, seconds: float, as_json: bool) -> None:
    """Look at pad, track and panel: what works, what is wrong, why, and what to try next.

    Ends with status 1 if something is wrong. A companion that runs uses the hardware itself: then its page
    /hardware says the same.
    """
    from rich.console import Console

    from companion.diagnostics.report import report

    data = data or data_directory()
    machine = _machine(settings, data, mock)
    try:
        with _locked(data):
            looked = _examined(machine, data, mock, seconds)
    except _Taken:
        raise click.ClickException(
            f"the companion runs with the data in {data} and uses the hardware: "
            "look at its page /hardware instead"
        ) from None
    if as_json:
        click.echo(json.dumps({**looked, "mock": mock}))
    else:
        Console().print(report(looked, mock))
    raise SystemExit(1 if looked["findings"] else 0)


def _examined(machine: Settings, data: Path, mock: bool, seconds: float) -> dict[str, Any]:
    """Start the parts that the settings name, look for so long, and stop them; how they are."""
    import threading

    from rich.console import Console
    from rich.progress import track as progress

    from companion.devices.pi_health import Pi
    from companion.diagnostics.overview import Names, hardware
    from companion.translate import Words

    told: dict[str, Any] = {}
    errors, wait = Console(stderr=True), threading.Event().wait
    with ExitStack() as stack:
        hand, parts = _parts(machine, data, mock)
        if hand is not None:
            hand.start()
            stack.callback(hand.stop)
        for name, part in parts.items():
            part.start(lambda message, name=name: told.update({name: message}) if _is(message) else None)
            stack.callback(part.stop)
        steps = range(int(seconds * 10) if parts else 0)
        for _ in progress(steps, "looking", console=errors, disable=not errors.is_terminal):
            wait(0.1)
        track, pad = (parts[name].health if name in parts else None for name in ("track", "pad"))
        pi = Pi(spi=(machine.spi_bus, machine.spi_device)).health
        return hardware(track, pad, told.get("panel"), pi, Names(Words.english(), _known_tags(data, mock)))


def _is(message: Any) -> bool:
    from companion.devices.seen import PartIs

    return isinstance(message, PartIs)


def _known_tags(data: Path, mock: bool) -> Mapping[str, str]:
    """What the tags mean, if there is a journal that says so."""
    from companion.devices.mock.tags import DEMO_SET
    from companion.store.journal import Journal, JournalError

    known = DEMO_SET if mock else {}
    if not (data / "journal.sqlite").exists():
        return known
    try:
        journal = Journal(data / "journal.sqlite")
    except JournalError as error:  # what is wrong with the hardware can be told all the same
        click.echo(f"{error}", err=True)
        return known
    try:
        return {**known, **journal.tags()}
    finally:
        journal.close()


# --- the Pico ------------------------------------------------------------------------------------


@main.command()
@click.option("--port", help="The Pico's serial port; without it the Pico is found by its USB id.")
@click.option("--back", is_flag=True, help="Go back to the version before.")
@click.option("--check", is_flag=True, help="Only say which versions are here and on the Pico.")
def flash(port: str | None, back: bool, check: bool) -> None:
    """Copy the firmware to the Pico under the track; the companion must not be running."""
    from rich.console import Console
    from rich.progress import Progress

    from companion.devices import flash as flashing

    if back and check:
        raise click.UsageError("--back and --check cannot be used together")
    try:
        if check:
            found = flashing.check(port)
            click.echo(f"here:         {flashing.version_here()}")
            click.echo(f"on the Pico:  {found.now}")
            click.echo(f"before:       {found.before}")
            click.echo(f"MicroPython:  {'.'.join(map(str, found.micropython))}")
            return
        if back:
            was, now = flashing.back(port)
        else:
            errors = Console(stderr=True)
            with Progress(console=errors, disable=not errors.is_terminal) as shown:
                task = shown.add_task("copying", total=None)

                def copied(name: str, done: int, total: int) -> None:
                    shown.update(task, description=name, completed=done, total=total)

                was, now = flashing.copy(port, copied)
    except flashing.FlashError as problem:
        raise click.ClickException(str(problem)) from None
    click.echo(f"the Pico ran {was}; now it runs {now}")


# --- tags and PIN --------------------------------------------------------------------------------


@main.group()
def tags() -> None:
    """What the tags on cards and pieces mean."""


@tags.command("import")
@click.argument("file")
@_data
def import_tags(file: str, data: Path | None) -> None:
    """Learn tags from FILE: a line `UID MEANING` each, such as `04A1B2C3D4E5F6 galloping-pigs/card/red/3`."""
    from companion.tags.tagfile import read_tags

    try:
        read = read_tags(_read(file).decode("utf-8", "replace"))
    except ValueError as error:
        raise click.ClickException(f"{file}:{error}") from None
    with _journal(data or data_directory()) as journal:
        journal.bind(read)
    click.echo(f"{len(read)} tags learnt")


@tags.command("list")
@_data
def list_tags(data: Path | None) -> None:
    """All known tags, as `companion tags import` reads them."""
    from companion.tags.tagfile import write_tags

    with _journal(data or data_directory()) as journal:
        known: Mapping[str, str] = journal.tags()
        click.echo(write_tags(known), nl=False)


@main.command()
@_data
def pin(data: Path | None) -> None:
    """Choose a new PIN; the companion must not be running."""
    from companion.table.table import Table
    from companion.web.roles import Pin

    with _journal(data or data_directory()) as journal:
        new = click.prompt("new PIN", hide_input=True, confirmation_prompt=True)
        try:
            Pin(Table(journal)).choose(new)
        except ValueError as error:
            raise click.ClickException(str(error)) from None
    click.echo("the new PIN is kept")
