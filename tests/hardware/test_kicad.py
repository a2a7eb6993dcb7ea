"""The boards, by KiCad: they are sound, each planted fault is found, and their files match the net lists.

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

from hardware import files
from hardware.board import __main__ as command
from hardware.board import kicad, pcb, picture, placement, router
from hardware.board.designs import DESIGNS
from hardware.board.picture import SIDES, drawn
from hardware.board.placement import Design
from hardware.board.router import Track, Via

GROUP = DESIGNS["group"]
TEXTS = {name: (files.HOME / f"hardware/board/{name}.kicad_pcb").read_text("utf-8") for name in DESIGNS}
TEXT = TEXTS["group"]
LAYERS = ("F_Cu", "B_Cu", "F_Mask", "B_Mask", "F_Silkscreen", "B_Silkscreen", "Edge_Cuts")

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(shutil.which("pcbnew") is None, reason="no KiCad: sudo apt install kicad"),
]


@pytest.fixture(scope="module", params=DESIGNS)
def design(request: pytest.FixtureRequest) -> Design:
    """Return each board."""
    return DESIGNS[request.param]


@pytest.fixture(scope="module")
def made(design: Design, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with all that KiCad makes of the board."""
    folder = tmp_path_factory.mktemp("board")
    assert list(kicad.wrong(kicad.kicad_board(design, TEXTS[design.name], folder), design)) == []
    return folder


def _cut(text: str) -> str:
    tracks, vias = pcb.laid(text)
    gone = next(track for track in tracks if track.net == "SDA 3")
    return pcb.written(GROUP, [track for track in tracks if track != gone], vias)


def _with(*more: Track | Via) -> Callable[[str], str]:
    def changed(text: str) -> str:
        tracks, vias = pcb.laid(text)
        return pcb.written(
            GROUP,
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
        return pcb.written(GROUP, thin, vias)

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
    return next(p.at for p in GROUP.pads() if (p.ref, p.pad.number) == (ref, pin))


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
    "a board too long": (_swapped("150 115)", "151 115)"), "100.0 × 65.0|invalid_outline"),
    "print on a pad": (
        _swapped('(gr_text "GROUP  0  1  2  3  4" (at 76.8 88.7', '(gr_text "GROUP" (at 65.24 86.195'),
        "silk_over_copper",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(fault: str, tmp_path: Path) -> None:
    """The finding names the kind of fault."""
    change, said = FAULTS[fault]
    found = list(kicad.wrong(kicad.kicad_board(GROUP, change(TEXT), tmp_path), GROUP))
    assert any(re.search(said, finding) for finding in found), found


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(kicad.NotMade):
        kicad.kicad_board(GROUP, "(kicad_pcb", tmp_path)


def test_the_gerbers_have_every_pad_on_its_net(design: Design, made: Path) -> None:
    """In the files for the maker each flash of a pad, on both layers, has its name and its net."""
    wanted = {(pad.ref, str(pad.pad.number), pad.net) for pad in design.pads()}
    for layer in ("F_Cu", "B_Cu"):
        text = (made / f"{design.name}-{layer}.gbr").read_text("utf-8")
        assert "%MOMM*%" in text
        assert "%FSLAX46Y46*%" in text
        flashed, pad, net = set(), ("", ""), None
        for line in text.splitlines():
            if found := re.match(r"%TO\.P,([^,*]+),([^,*]+)", line):
                pad = (found[1], found[2])
            elif found := re.match(r"%TO\.N,([^*]*)\*%", line):
                net = found[1]
            elif line.endswith("D03*") and pad[0]:
                flashed.add((*pad, None if net in ("", "N/C") or "unconnected" in (net or "") else net))
            elif line.startswith("%TD"):
                pad, net = ("", ""), None
        assert flashed == wanted


def test_every_hole_is_drilled_where_its_pad_is(design: Design, made: Path) -> None:
    """Each hole is drilled once and has its size; screw holes are separate from plated ones."""
    _, vias = pcb.laid(TEXTS[design.name])
    plated = [(p.pad.drill, *p.at) for p in design.pads()]
    plated += [(placement.VIA_DRILL, *via.at) for via in vias]
    plain = [(placement.HOLE, *at) for at in design.holes]
    for name, wanted in ((f"{design.name}-PTH.drl", plated), (f"{design.name}-NPTH.drl", plain)):
        drilled: list[tuple[float, float, float]] = []
        sizes: dict[str, float] = {}
        tool = ""
        for line in (made / name).read_text("utf-8").splitlines():
            if found := re.fullmatch(r"(T\d+)C([\d.]+)", line):
                sizes[found[1]] = float(found[2])
            elif line in sizes:
                tool = line
            elif found := re.fullmatch(r"X([\d.]+)Y([\d.]+)", line):
                drilled.append((sizes[tool], float(found[1]), design.size[1] - float(found[2])))
        assert Counter(_rounded(drilled)) == Counter(_rounded(wanted))


def _rounded(holes: list[tuple[float, float, float]]) -> list[tuple[float, float, float]]:
    return [(size, round(x, 3), round(y, 3)) for size, x, y in holes]


def test_the_archive_has_all_files_and_no_date(design: Design, made: Path, tmp_path: Path) -> None:
    """The same board makes the same bytes at any time."""
    first = kicad.packed(made, tmp_path / "first.zip")
    with zipfile.ZipFile(first) as archive:
        assert sorted(archive.namelist()) == sorted(
            f"{design.name}-{name}" for name in (*(f"{layer}.gbr" for layer in LAYERS), "PTH.drl", "NPTH.drl")
        )
        text = "\n".join(archive.read(name).decode() for name in archive.namelist())
    assert not re.search(r"20\d\d-\d\d-\d\d|CreationDate|\d\d:\d\d:\d\d", text)
    assert f"{made}" not in text
    again = tmp_path / "again"
    kicad.kicad_board(design, TEXTS[design.name], again)
    assert kicad.packed(again, tmp_path / "again.zip").read_bytes() == first.read_bytes()


def test_the_pictures_are_those_of_the_board(design: Design, made: Path) -> None:
    """The pictures in docs/ are those of the board. If not: make board."""
    for side in SIDES:
        image = files.HOME / "docs" / picture.name(design, side)
        assert image.read_text("utf-8") == drawn(design, made, side)


def test_the_command_says_that_all_is_well() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hardware.board", "--check"],
        cwd=files.HOME, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [f"build/board/{name}.zip: the board is sound" for name in DESIGNS]


def test_a_board_that_is_not_sound_is_not_packed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An older archive does not stay, and no picture changes."""
    build = tmp_path / "build" / "board"
    build.mkdir(parents=True)
    (tmp_path / "group.kicad_pcb").write_text(_cut(TEXT), "utf-8")
    (build / "group.zip").touch()
    for name, value in (("BOARDS", tmp_path), ("BUILD", build), ("DOCS", tmp_path / "none")):
        monkeypatch.setattr(command, name, value)
    monkeypatch.setattr(sys, "argv", ["hardware.board", "group"])
    assert command.main() == 1
    assert "unconnected_items" in capsys.readouterr().err
    assert not (build / "group.zip").exists()


def test_the_tracks_are_what_the_router_finds(design: Design) -> None:
    """Routed again, the file is the same: python -m hardware.board --lay."""
    assert pcb.written(design, *router.routed(design)) == TEXTS[design.name]
