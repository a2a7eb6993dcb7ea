"""KiCad's work on a board, run by Debian's own Python, which has KiCad's module `pcbnew`.

/usr/bin/python3 kicad_job.py BOARD.kicad_pcb FOLDER

fills the poured zones, then writes into the folder: `drc.txt`, the findings of its design rule check;
`board.json` with the nets of all pads and the outline in KiCad's reading; Gerbers, drill files, each layer as
SVG.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pcbnew

GERBERS = {
    "F_Cu": pcbnew.F_Cu,
    "B_Cu": pcbnew.B_Cu,
    "F_Mask": pcbnew.F_Mask,
    "B_Mask": pcbnew.B_Mask,
    "F_Silkscreen": pcbnew.F_SilkS,
    "B_Silkscreen": pcbnew.B_SilkS,
    "Edge_Cuts": pcbnew.Edge_Cuts,
}


def main() -> None:
    """Run the whole job."""
    source, folder = Path(sys.argv[1]), Path(sys.argv[2])
    board = pcbnew.LoadBoard(str(source))
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    pcbnew.WriteDRCReport(board, str(folder / "drc.txt"), pcbnew.EDA_UNITS_MILLIMETRES, True)
    (folder / "board.json").write_text(json.dumps(_facts(board), indent=1), encoding="utf-8")
    _plot(board, folder, pcbnew.PLOT_FORMAT_GERBER)
    _plot(board, folder, pcbnew.PLOT_FORMAT_SVG)
    drill = pcbnew.EXCELLON_WRITER(board)
    drill.SetOptions(False, False, board.GetDesignSettings().GetAuxOrigin(), False)
    drill.SetFormat(True)
    drill.CreateDrillandMapFilesSet(str(folder), True, False)


def _facts(board: pcbnew.BOARD) -> dict[str, object]:
    edge = board.GetBoardEdgesBoundingBox()
    pads = {}
    for footprint in board.GetFootprints():
        for pad in footprint.Pads():
            if pad.GetNumber():
                pads[f"{footprint.GetReference()} {pad.GetNumber()}"] = pad.GetNetname()
    settings = board.GetDesignSettings()
    return {
        "pads": pads,
        "size": [pcbnew.ToMM(edge.GetWidth() - 100000), pcbnew.ToMM(edge.GetHeight() - 100000)],
        "unconnected": board.GetConnectivity().GetUnconnectedCount(),
        "rules": {
            "track": pcbnew.ToMM(settings.m_TrackMinWidth),
            "clearance": pcbnew.ToMM(settings.m_MinClearance),
            "drill": pcbnew.ToMM(settings.m_MinThroughDrill),
            "ring": pcbnew.ToMM(settings.m_ViasMinAnnularWidth),
            "edge": pcbnew.ToMM(settings.m_CopperEdgeClearance),
            "hole to hole": pcbnew.ToMM(settings.m_HoleToHoleMin),
            "hole to copper": pcbnew.ToMM(settings.m_HoleClearance),
        },
    }


def _plot(board: pcbnew.BOARD, folder: Path, kind: int) -> None:
    control = pcbnew.PLOT_CONTROLLER(board)
    options = control.GetPlotOptions()
    options.SetOutputDirectory(str(folder))
    options.SetUseAuxOrigin(kind == pcbnew.PLOT_FORMAT_GERBER)
    options.SetPlotFrameRef(False)
    options.SetUseGerberProtelExtensions(False)
    options.SetUseGerberX2format(True)
    options.SetIncludeGerberNetlistInfo(True)
    options.SetCreateGerberJobFile(False)
    options.SetSubtractMaskFromSilk(True)
    options.SetPlotValue(True)
    options.SetDrillMarksType(pcbnew.PCB_PLOT_PARAMS.NO_DRILL_SHAPE)
    for name, layer in GERBERS.items():
        control.SetLayer(layer)
        control.OpenPlotfile(name, kind, name)
        control.PlotLayer()
    control.ClosePlot()


if __name__ == "__main__":
    main()
