"""The printed boards: their net lists are the track's, their plugs fit each other, their files are what the values
say.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware import files, parts, tiers
from hardware.board import kicad, pcb, placement, reader, router
from hardware.board.designs import DESIGNS
from hardware.board.footprints import Pad
from hardware.board.placement import PadAt
from hardware.checks import findings
from hardware.circuit import Circuit, moved, opened

GROUP = DESIGNS["group"]
SIZE = GROUP.size
BOARDS = {"group": tiers.group_board(), "pico": tiers.pico_board(), "reader": tiers.reader_board()}
READERS_OF = {"group": 8, "pico": 24, "reader": 1}


def _text(name: str) -> str:
    return (files.HOME / f"hardware/board/{name}.kicad_pcb").read_text("utf-8")


@pytest.mark.parametrize("name", BOARDS)
def test_the_nets_are_those_of_the_track(name: str) -> None:
    """They join all that is soldered to the board as the track does."""
    board, track = BOARDS[name], tiers.reader_track(READERS_OF[name])
    own = {ref for ref in board.parts if not ref.startswith("J")}
    more = {
        ("A1", pin.number) for pin in tiers.TRACK_PICO.pins if pin.name == "GND"
    }  # the Pico's other grounds
    for net, terminals in track.nets.items():
        here = {t for t in terminals if t[0] in own}
        assert here - more == {t for t in board.nets.get(net, ()) if t[0] in own} - more


def test_each_part_of_a_track_is_on_one_board_or_beside_them() -> None:
    """All but plug, buck and readers is soldered to a board of a group, of the Pico or of a reader."""
    track = tiers.reader_track(1)
    on = [ref for board in BOARDS.values() for ref in board.parts if ref in track.parts]
    assert len(on) == len(set(on))
    assert set(track.parts) - set(on) == {"J2", "PS1", "RD0"}


@pytest.mark.parametrize("name", BOARDS)
def test_every_wire_to_another_board_has_a_plug(name: str) -> None:
    """That holds for each net of the track that has parts on the board and others elsewhere."""
    board = BOARDS[name]
    for net, terminals in tiers.reader_track(READERS_OF[name]).nets.items():
        there = {t[0] in board.parts for t in terminals}
        if there == {True, False}:
            assert any(t[0].startswith("J") for t in board.nets[net]), net


@pytest.mark.parametrize("readers", [1, 8, 22, 24])
def test_a_flat_cable_has_the_same_wires_at_both_ends(readers: int) -> None:
    """Pin by pin: from a reader's carrier to its group's board, and from there to the Pico's."""
    track = tiers.boarded_track(readers)
    for n in range(readers):
        group, place = divmod(n, tiers.GROUP)
        for pin in parts.READER_CABLE.pins:
            assert track.at(f"J{1000 + n}", pin.number) == track.at(
                f"J{100 * group + 100 + place}", pin.number
            )
    for group in range(-(-readers // tiers.GROUP)):
        for pin in parts.BUS_PLUG.pins:
            assert track.at(f"J{100 * group + 108}", pin.number) == track.at(
                f"J{100 * group + 110}", pin.number
            )


def test_a_carrier_leads_each_wire_to_the_pin_of_its_name() -> None:
    """The pins of a reader go to the wires of the same name, and 3.3 V and SDA cannot be exchanged: every plug of
    a reader is one of a box, which takes it one way only.
    """
    track = tiers.boarded_track(8)
    for n in range(8):
        for pin in parts.MFRC522.pins:
            assert track.at(f"J{1100 + n}", pin.number) == track.at(f"RD{n}", pin.number)
        for pin in parts.READER_CABLE.pins:
            assert track.at(f"J{1000 + n}", pin.number) == track.at(f"RD{n}", pin.name)
    for board in BOARDS.values():
        plugs = [part for part in board.parts.values() if part.ref[0] == "J" and len(part.type.pins) > 2]
        boxes = [part.type.name.startswith("box header") for part in plugs if part.ref != "J1100"]
        assert all(boxes)


def test_the_mirrored_carrier_is_for_pins_the_other_way_round() -> None:
    """On the one board SDA is at the left, on the other at the right; both have the plug at the same place."""
    one, other = ({pad.pad.number: pad.at for pad in d.pads() if pad.ref == "J1100"} for d in _carriers())
    assert [one[n] for n in range(1, 9)] == [other[n] for n in range(8, 0, -1)]
    holes = [sorted(pad.at for pad in d.pads() if pad.ref == "J1000") for d in _carriers()]
    assert holes[0] == holes[1]


def _carriers() -> tuple[placement.Design, placement.Design]:
    return reader.DESIGN, reader.MIRRORED


def test_ground_is_next_to_the_clock_in_every_cable() -> None:
    """In flat cables, whose wires are pins 1, 2, 3 and so on: all even ones of the bus, both neighbours of SCK and
    MOSI of a reader.
    """
    for pin in parts.BUS_PLUG.pins:
        assert (BOARDS["group"].at("J108", pin.number) == "GND") is (pin.number % 2 == 0)
    names = parts.CABLE_WIRES
    for n, name in enumerate(names):
        if name in ("SCK", "MOSI"):
            assert (names[n - 1], names[n + 1]) == ("GND", "GND")


@pytest.mark.parametrize("readers", [1, 8, 22])
def test_the_track_with_its_boards_keeps_the_laws(readers: int) -> None:
    assert list(findings(tiers.boarded_track(readers))) == []


def test_the_board_of_the_pico_has_three_plugs() -> None:
    """A track of more than three groups is refused."""
    with pytest.raises(ValueError, match="plugs for 3 groups"):
        tiers.boarded_track(25)


@pytest.mark.parametrize(
    "changed",
    [
        opened(tiers.boarded_track(), "J100", "MISO"),
        opened(tiers.boarded_track(), "J1003", "SCK"),
        opened(tiers.boarded_track(), "J11", "+5V"),
        moved(tiers.boarded_track(), {("J1105", 5): "GND"}),
    ],
    ids=["a pin off", "a carrier's pin off", "no 5 V", "IRQ on ground"],
)
def test_the_laws_look_at_the_plugs_too(changed: Circuit) -> None:
    assert next(findings(changed), None) is not None


@pytest.mark.parametrize("name", DESIGNS)
def test_the_file_is_read_as_it_was_written(name: str) -> None:
    design, text = DESIGNS[name], _text(name)
    tracks, vias = pcb.laid(text)
    joined = {net for net, terminals in design.circuit.nets.items() if len(terminals) > 1}
    assert {track.net for track in tracks} >= joined - {"GND"}
    assert pcb.written(design, tracks, vias) == text
    net = next(net for net in sorted(joined) if net != "GND")
    assert pcb.rewritten(design, text.replace(f'"{net}"', '"another"')) != text


# -- the router


def _pad(net: str, x: int, y: int) -> PadAt:
    at = (round(x * placement.GRID, 4), round(y * placement.GRID, 4))
    return PadAt("X1", Pad(1, at, 1.6, 0.8), at, net)


def test_two_nets_that_cross_take_both_layers() -> None:
    pads = [_pad("A", 40, 70), _pad("A", 60, 70), _pad("B", 50, 65), _pad("B", 50, 75)]
    tracks, vias = router.routed(GROUP, pads)
    layers = {net: {track.layer for track in tracks if track.net == net} for net in ("A", "B")}
    assert layers["A"] != layers["B"] or vias


def test_a_net_that_is_walled_in_is_named() -> None:
    wall = [_pad(f"W{x} {y}", x, y) for x in range(38, 43) for y in range(68, 73) if (x, y) != (40, 70)]
    with pytest.raises(router.NoWay, match="A is barred by pads"):
        router.routed(GROUP, [_pad("A", 40, 70), _pad("A", 60, 70), *wall])


# -- what is said of what KiCad has


def _seen() -> kicad.KicadBoard:
    pads = {f"{pad.ref} {pad.pad.number}": pad.net or "" for pad in GROUP.pads()}
    return kicad.KicadBoard(pads, SIZE, placement.RULES, ())


def test_without_kicad_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="sudo apt install kicad"):
        kicad.kicad_board(GROUP, "", tmp_path / "build")


def test_a_sound_board_has_nothing_to_be_said_of() -> None:
    assert list(kicad.wrong(_seen(), GROUP)) == []


@pytest.mark.parametrize(
    ("seen", "said"),
    [
        (_seen()._replace(pads={**_seen().pads, "U11 1": "A1"}), "U11 1 is on A1, by the net list on A0"),
        (
            _seen()._replace(pads={**_seen().pads, "U12 6": "GND"}),
            "U12 6 is on GND, by the net list on none",
        ),
        (
            _seen()._replace(pads={**_seen().pads, "U99 1": ""}),
            "U99 1 is on the board and not in the net list",
        ),
        (
            _seen()._replace(pads={k: v for k, v in _seen().pads.items() if k != "C11 2"}),
            "C11 2 is not on the board",
        ),
        (_seen()._replace(size=(100.0, 61.0)), "the board is 100.0 × 61.0 mm, not 100.0 × 65.0"),
        (_seen()._replace(rules={**placement.RULES, "track": 0.05}), "KiCad went by other rules"),
        (_seen()._replace(findings=("[clearance]: too near",)), "[clearance]: too near"),
    ],
)
def test_differences_are_named(seen: kicad.KicadBoard, said: str) -> None:
    [difference] = kicad.wrong(seen, GROUP)
    assert said in difference
