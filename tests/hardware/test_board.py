"""The board of a group: its net list is the track's, its plugs fit the cables, its file is what the values say."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware import files, parts, tiers
from hardware.board import kicad, pcb, placement, router
from hardware.board.footprints import Pad, turned
from hardware.board.placement import SIZE, PadAt
from hardware.checks import findings
from hardware.circuit import Circuit, moved, opened

BOARD = tiers.group_board()
FILE = files.HOME / "hardware/board/group.kicad_pcb"


def test_the_nets_are_those_of_the_track() -> None:
    """They join all that is soldered to the board: all of the group but the resistors at the Pico."""
    track = tiers.reader_track(8)
    own = {ref for ref in BOARD.parts if not ref.startswith("J")}
    for net, terminals in track.nets.items():
        here = {t for t in terminals if t[0] in own}
        assert here == {t for t in BOARD.nets.get(net, ()) if t[0] in own}
    at_readers = {f"R1{row}0{n}" for row in (0, 1) for n in range(8)}
    group = {"U11", "U12", "U13", "C11", "C12", "C13", *(f"R10{n}" for n in range(8)), "R110", *at_readers}
    assert own == group


def test_every_wire_to_readers_pico_and_supply_has_a_plug() -> None:
    """That holds for each net of the track that has parts on the board and others elsewhere."""
    for net, terminals in tiers.reader_track(8).nets.items():
        there = {t[0] in BOARD.parts for t in terminals}
        if there == {True, False}:
            assert any(t[0].startswith("J") for t in BOARD.nets[net]), net


def test_a_flat_cable_goes_straight_to_a_reader() -> None:
    track = tiers.reader_track(8)
    for n in range(8):
        for pin in parts.MFRC522.pins:
            assert BOARD.at(f"J{100 + n}", pin.number) == track.at(f"RD{n}", pin.number)
            assert parts.READER_PLUG.by_number[pin.number].name == pin.name


def test_ground_is_next_to_every_wire_of_the_bus() -> None:
    """In the flat cable, whose wires are pins 1, 2, 3 and so on."""
    for pin in parts.BUS_PLUG.pins:
        assert (BOARD.at("J108", pin.number) == "GND") is (pin.number % 2 == 0)


def test_the_track_with_its_board_keeps_the_laws() -> None:
    assert list(findings(tiers.boarded_track())) == []


@pytest.mark.parametrize(
    "changed",
    [
        opened(tiers.boarded_track(), "J100", "MISO"),
        moved(tiers.boarded_track(), {("J105", 5): "GND"}),
    ],
    ids=["a pin off", "IRQ on ground"],
)
def test_the_laws_look_at_the_plugs_too(changed: Circuit) -> None:
    assert next(findings(changed), None) is not None


def test_all_parts_stand_on_the_board() -> None:
    """They stand there with all of the room that they take."""
    assert set(placement.PLACES) == set(BOARD.parts)
    for part in BOARD.parts.values():
        place, (left, top, right, bottom) = placement.PLACES[part.ref], placement.footprint(part).room
        for corner in ((left, top), (right, bottom)):
            dx, dy = turned(corner, place.turn)
            assert 0 < place.at[0] + dx < SIZE[0]
            assert 0 < place.at[1] + dy < SIZE[1]


def test_the_file_is_read_as_it_was_written() -> None:
    text = FILE.read_text("utf-8")
    tracks, vias = pcb.laid(text)
    assert {track.net for track in tracks} >= {net for net in BOARD.nets if net != "GND"}
    assert pcb.written(BOARD, tracks, vias) == text
    assert pcb.rewritten(text.replace('"SDA 3"', '"SDA 99"')) != text


def test_the_supply_is_wide() -> None:
    tracks, _ = pcb.laid(FILE.read_text("utf-8"))
    assert min(track.width for track in tracks if track.net == placement.RAIL) >= 1.0


# -- the router


def _pad(net: str, x: int, y: int) -> PadAt:
    at = (round(x * placement.GRID, 4), round(y * placement.GRID, 4))
    return PadAt("X1", Pad(1, at, 1.6, 0.8), at, net)


def test_two_nets_that_cross_take_both_layers() -> None:
    pads = [_pad("A", 40, 70), _pad("A", 60, 70), _pad("B", 50, 65), _pad("B", 50, 75)]
    tracks, vias = router.routed(pads)
    layers = {net: {track.layer for track in tracks if track.net == net} for net in ("A", "B")}
    assert layers["A"] != layers["B"] or vias


def test_a_net_that_is_walled_in_is_named() -> None:
    wall = [_pad(f"W{x} {y}", x, y) for x in range(38, 43) for y in range(68, 73) if (x, y) != (40, 70)]
    with pytest.raises(router.NoWay, match="A is barred by pads"):
        router.routed([_pad("A", 40, 70), _pad("A", 60, 70), *wall])


# -- what is said of what KiCad has


def _seen() -> kicad.KicadBoard:
    pads = {
        f"{part.ref} {pad.number}": BOARD.net_of.get((part.ref, pad.number), "")
        for part in BOARD.parts.values()
        for pad in placement.footprint(part).pads
    }
    return kicad.KicadBoard(pads, SIZE, placement.RULES, ())


def test_without_kicad_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="sudo apt install kicad"):
        kicad.kicad_board("", tmp_path / "build")


def test_a_sound_board_has_nothing_to_be_said_of() -> None:
    assert list(kicad.wrong(_seen(), BOARD)) == []


@pytest.mark.parametrize(
    ("seen", "said"),
    [
        (_seen()._replace(pads={**_seen().pads, "U11 1": "A1"}), "U11 1 is on A1, by the net list on A0"),
        (
            _seen()._replace(pads={**_seen().pads, "J100 5": "GND"}),
            "J100 5 is on GND, by the net list on none",
        ),
        (
            _seen()._replace(pads={**_seen().pads, "U99 1": ""}),
            "U99 1 is on the board and not in the net list",
        ),
        (
            _seen()._replace(pads={k: v for k, v in _seen().pads.items() if k != "C11 2"}),
            "C11 2 is not on the board",
        ),
        (_seen()._replace(size=(100.0, 61.0)), "the board is 100.0 × 61.0 mm, not 100.0 × 60.0"),
        (_seen()._replace(rules={**placement.RULES, "track": 0.05}), "KiCad went by other rules"),
        (_seen()._replace(findings=("[clearance]: too near",)), "[clearance]: too near"),
    ],
)
def test_differences_are_named(seen: kicad.KicadBoard, said: str) -> None:
    [difference] = kicad.wrong(seen, BOARD)
    assert said in difference
