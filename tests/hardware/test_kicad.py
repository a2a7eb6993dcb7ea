"""The board of a group, by KiCad: it is sound, each planted fault is found, and its files match the net list.

Only here: a board file that KiCad's checks reject, or a Gerber or drill file that does not match the net
list.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from hardware import files, tiers
from hardware.board import __main__ as command
from hardware.board import kicad, pcb, placement, router
from hardware.board.picture import SIDES, drawn
from hardware.board.router import Track, Via

BOARD = tiers.group_board()
TEXT = (files.HOME / "hardware/board/group.kicad_pcb").read_text("utf-8")
LAYERS = ("F_Cu", "B_Cu", "F_Mask", "B_Mask", "F_Silkscreen", "B_Silkscreen", "Edge_Cuts")

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(shutil.which("pcbnew") is None, reason="no KiCad: sudo apt install kicad"),
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with all that KiCad makes of the board."""
    folder = tmp_path_factory.mktemp("board")
    assert list(kicad.wrong(kicad.looked(TEXT, folder), BOARD)) == []
    return folder


def _cut(text: str) -> str:
    tracks, vias = pcb.laid(text)
    gone = next(track for track in tracks if track.net == "SDA 3")
    return pcb.written(BOARD, [track for track in tracks if track != gone], vias)


def _with(*more: Track | Via) -> Callable[[str], str]:
    def changed(text: str) -> str:
        tracks, vias = pcb.laid(text)
        return pcb.written(
            BOARD,
            [*tracks, *(each for each in more if isinstance(each, Track))],
            [*vias, *(each for each in more if isinstance(each, Via))],
        )

    return changed


def _thinner(net: str, width: float) -> Callable[[str], str]:
    def changed(text: str) -> str:
        tracks, vias = pcb.laid(text)
        thin = [
            Track(track.net, track.layer, width, track.start, track.end) if track.net == net else track
            for track in tracks
        ]
        return pcb.written(BOARD, thin, vias)

    return changed


def _swapped(old: str, new: str) -> Callable[[str], str]:
    def changed(text: str) -> str:
        assert old in text
        return text.replace(old, new)

    return changed


def _wrong_net(text: str) -> str:
    """Put pin 1 of U11, which is A0, on the net of A1."""
    found = re.search(r'\(pad "1" thru_hole rect .*"A0"\).*\n', text)
    assert found
    number = re.search(r'\(net (\d+) "A1"\)', text)
    assert number
    return text.replace(found[0], re.sub(r'\(net \d+ "A0"\)', number[0], found[0]))


def _at(ref: str, pin: int) -> tuple[float, float]:
    return next(p.at for p in placement.pads(BOARD) if (p.ref, p.pad.number) == (ref, pin))


FAULTS: dict[str, tuple[Callable[[str], str], str]] = {
    "a track cut": (_cut, "unconnected_items"),
    "two nets bridged": (
        _with(Track("SDA 0", "F.Cu", 0.35, _at("J100", 1), _at("J100", 2))),
        r"shorting_items|clearance",
    ),
    "a pad on the wrong net": (_wrong_net, "1 is on A1, by the net list on A0"),
    "a track too thin": (_thinner("SDA 0", 0.1), "track_width"),
    "a supply too thin": (_thinner(placement.RAIL, 0.35), "track_width.*the supply is wide"),
    "a hole too near the edge": (_with(Via("GND", (0.5, 30.0))), "copper_edge_clearance"),
    "a hole too small": (_swapped("(drill 0.4)", "(drill 0.2)"), "drill_out_of_range"),
    "a ring too narrow": (_swapped("(size 1.6 1.6) (drill 0.8)", "(size 1 1) (drill 0.8)"), "annular_width"),
    "two holes too near": (
        _with(Via("GND", (28.0, 14.0)), Via("GND", (28.5, 14.0))),
        "hole_near_hole|holes_co_located",
    ),
    "a board too long": (_swapped("150 110)", "151 110)"), "100.0 × 60.0|invalid_outline"),
    "print on a pad": (
        _swapped('(gr_text "GROUP  0  1  2  3  4" (at 75.2 87.2', '(gr_text "GROUP" (at 65.24 84.29'),
        "silk_over_copper",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(fault: str, tmp_path: Path) -> None:
    """The finding names the kind of fault."""
    change, said = FAULTS[fault]
    found = list(kicad.wrong(kicad.looked(change(TEXT), tmp_path), BOARD))
    assert any(re.search(said, finding) for finding in found), found


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(kicad.NotMade):
        kicad.looked("(kicad_pcb", tmp_path)


def test_the_gerbers_have_every_pad_on_its_net(made: Path) -> None:
    """In the files for the maker each flash of a pad, on both layers, has its name and its net."""
    wanted = {
        (part.ref, str(pad.number), BOARD.net_of.get((part.ref, pad.number)))
        for part in BOARD.parts.values()
        for pad in placement.footprint(part).pads
    }
    for layer in ("F_Cu", "B_Cu"):
        text = (made / f"group-{layer}.gbr").read_text("utf-8")
        assert "%MOMM*%" in text
        assert "%FSLAX46Y46*%" in text
        flashed, pad, net = set(), ("", ""), None
        for line in text.splitlines():
            if told := re.match(r"%TO\.P,([^,*]+),([^,*]+)", line):
                pad = (told[1], told[2])
            elif told := re.match(r"%TO\.N,([^*]*)\*%", line):
                net = told[1]
            elif line.endswith("D03*") and pad[0]:
                flashed.add((*pad, None if net in ("", "N/C") or "unconnected" in (net or "") else net))
            elif line.startswith("%TD"):
                pad, net = ("", ""), None
        assert flashed == wanted


def test_every_hole_is_drilled_where_its_pad_is(made: Path) -> None:
    """Each hole is drilled once and has its size; screw holes are separate from plated ones."""
    _, vias = pcb.laid(TEXT)
    plated = [(p.pad.drill, *p.at) for p in placement.pads(BOARD)]
    plated += [(placement.VIA_DRILL, *via.at) for via in vias]
    plain = [(placement.HOLE, *at) for at in placement.HOLES]
    for name, wanted in (("group-PTH.drl", plated), ("group-NPTH.drl", plain)):
        drilled: list[tuple[float, float, float]] = []
        sizes: dict[str, float] = {}
        tool = ""
        for line in (made / name).read_text("utf-8").splitlines():
            if told := re.fullmatch(r"(T\d+)C([\d.]+)", line):
                sizes[told[1]] = float(told[2])
            elif line in sizes:
                tool = line
            elif told := re.fullmatch(r"X([\d.]+)Y([\d.]+)", line):
                drilled.append((sizes[tool], float(told[1]), placement.SIZE[1] - float(told[2])))
        assert Counter(_rounded(drilled)) == Counter(_rounded(wanted))


def _rounded(holes: list[tuple[float, float, float]]) -> list[tuple[float, float, float]]:
    return [(size, round(x, 3), round(y, 3)) for size, x, y in holes]


def test_the_archive_has_all_files_and_no_date(made: Path, tmp_path: Path) -> None:
    """The same board makes the same bytes at any time."""
    with zipfile.ZipFile(kicad.packed(made)) as archive:
        assert sorted(archive.namelist()) == sorted(
            [*(f"group-{layer}.gbr" for layer in LAYERS), "group-PTH.drl", "group-NPTH.drl"]
        )
        told = "\n".join(archive.read(name).decode() for name in archive.namelist())
    assert not re.search(r"20\d\d-\d\d-\d\d|CreationDate|\d\d:\d\d:\d\d", told)
    assert f"{made}" not in told
    kicad.looked(TEXT, tmp_path)
    assert kicad.packed(tmp_path).read_bytes() == kicad.packed(made).read_bytes()


def test_the_pictures_are_those_of_the_board(made: Path) -> None:
    """The pictures in docs/ are those of the board. If not: make board."""
    for side in SIDES:
        assert (files.HOME / f"docs/board-{side}.svg").read_text("utf-8") == drawn(made, side)


def test_the_command_says_that_all_is_well() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hardware.board", "--check"],
        cwd=files.HOME, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "build/board/group.zip: the board is sound\n"


def test_a_board_that_is_not_sound_is_not_packed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An older archive does not stay, and no picture changes."""
    board, build = tmp_path / "group.kicad_pcb", tmp_path / "build"
    board.write_text(_cut(TEXT), "utf-8")
    build.mkdir()
    (build / kicad.ZIP).touch()
    for name, value in (("BOARD", board), ("BUILD", build), ("DOCS", tmp_path / "none")):
        monkeypatch.setattr(command, name, value)
    monkeypatch.setattr(sys, "argv", ["hardware.board"])
    assert command.main() == 1
    assert "unconnected_items" in capsys.readouterr().err
    assert not (build / kicad.ZIP).exists()


def test_the_tracks_are_what_the_router_finds() -> None:
    """Routed again, the file is the same: python -m hardware.board --lay."""
    assert pcb.written(BOARD, *router.routed(placement.pads(BOARD))) == TEXT
