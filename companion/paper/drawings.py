"""The drawings of the pages as shapes for paper: symbols of art.html, coloured by rules of look.css."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import cssselect2
import tinycss2
from svg.path import Arc, Close, CubicBezier, Line, Move, parse_path

from companion.errors import InvalidInput

WEB = Path(__file__).parent.parent / "web"
BARE = 20.0  # half the width of a mark's box, on a chip

Element = ElementTree.Element
Box = tuple[float, float, float, float]  # x, y, width, height


class Shape(NamedTuple):
    """A path or an ellipse with its paint: colours in hex (None: not painted), lengths as in the drawing."""

    path: str
    ellipse: Box | None
    transform: str
    fill: str | None
    stroke: str | None
    width: float
    dash: tuple[float, ...]
    opacity: float
    even_odd: bool


class Drawing(NamedTuple):
    """Shapes, the lowest first, in a box; y grows downwards."""

    box: Box
    shapes: tuple[Shape, ...]


@cache
def animal(name: str, colour: str) -> Drawing:
    """Return an animal with the mark of its colour on the saddlecloth; its colour's chip if it is not drawn
    yet.

    >>> animal("pig", "red").box
    (0.0, 0.0, 136.0, 96.0)
    """
    symbol = _symbols().get(f"animal-{name}")
    if symbol is None:
        return chip(colour)
    x, y, size = symbol.attrib["data-mark"].split()
    root = Element("svg", {"class": colour})
    root.append(copy.deepcopy(symbol))
    root.append(_marked(colour, "mkuse", f"translate({x} {y}) scale({size})"))
    return Drawing(_box(symbol), tuple(_shapes(root)))


@cache
def chip(colour: str) -> Drawing:
    """Return the sign of a colour: its mark on a small field."""
    root = Element("svg", {"class": colour})
    root.append(
        Element(
            "rect", {"class": "chipbg", "x": "-18", "y": "-18", "width": "36", "height": "36", "rx": "11"}
        )
    )
    root.append(_marked(colour, "chipmk", ""))
    return Drawing((-BARE, -BARE, 2 * BARE, 2 * BARE), tuple(_shapes(root)))


@cache
def symbol(name: str, wears: str = "") -> Drawing:
    """Return a symbol by its id, such as `hat-0` or `acorn`, inside an element of the classes `wears`."""
    return _symbol(name, wears, {})


@cache
def hat(number: int, colour: str = "", band: str = "") -> Drawing:
    """Return a hat on its disc, in its usual colours or in these."""
    return _symbol(f"hat-{number}", "hatpic", {"--hat": colour, "--hat-band": band} if colour else {})


def _symbol(name: str, wears: str, paint: Mapping[str, str]) -> Drawing:
    root, drawn = Element("svg", {"class": wears}), copy.deepcopy(_symbols()[name])
    drawn.attrib.update(paint)
    root.append(drawn)
    return Drawing(_box(drawn), tuple(_shapes(root)))


def _marked(colour: str, wears: str, transform: str) -> Element:
    group = Element("g", {"class": wears, "transform": transform})
    group.append(copy.deepcopy(_symbols().get(f"mk-{colour}", _symbols()["mk-other"])))
    return group


@cache
def _symbols() -> Mapping[str, Element]:
    text = re.sub(r"{#.*?#}", "", (WEB / "common" / "art.html").read_text("utf-8"))
    hats = re.sub(r' xmlns="[^"]*"', "", (WEB / "common" / "hats.svg").read_text("utf-8"))
    trees = (ElementTree.fromstring(text), ElementTree.fromstring(hats))
    return {e.attrib["id"]: e for tree in trees for e in tree.iter() if "id" in e.attrib}


def _box(symbol: Element) -> Box:
    x, y, width, height = (float(n) for n in symbol.attrib["viewBox"].split())
    return x, y, width, height


# --- the style sheet -----------------------------------------------------------------------------


@cache
def _rules() -> cssselect2.Matcher:
    """Return the rules of look.css for paper, without those under @media, which are for screens."""
    matcher = cssselect2.Matcher()
    sheet = (WEB / "common" / "look.css").read_text("utf-8")
    for rule in tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True):
        if rule.type != "qualified-rule":
            continue
        declarations = {
            d.name: tinycss2.serialize(d.value).strip()
            for d in tinycss2.parse_blocks_contents(rule.content)
            if d.type == "declaration"
        }
        for selector in _selectors(rule.prelude):
            matcher.add_selector(selector, declarations)
    return matcher


def _selectors(prelude: Any) -> list[Any]:
    try:
        return list(cssselect2.compile_selector_list(prelude))
    except cssselect2.SelectorError:  # such as :focus-visible: a state that paper does not have
        return []


_INHERITED = ("fill", "stroke", "stroke-width", "stroke-dasharray", "color", "fill-rule")


def _shapes(root: Element) -> Iterator[Shape]:
    wrapped = cssselect2.ElementWrapper.from_xml_root(root)
    yield from _painted(
        wrapped, {"fill": "#000", "stroke": "none", "stroke-width": "1", "color": "#23203F"}, ""
    )


def _painted(element: Any, around: Mapping[str, str], transform: str) -> Iterator[Shape]:
    """Yield the shapes of an element and its children; `around` is the inherited style."""
    attributes: Mapping[str, str] = element.etree_element.attrib
    style = {k: v for k, v in around.items() if k in _INHERITED or k.startswith("--")}
    style |= {k: v for k, v in attributes.items() if k in (*_INHERITED, "opacity") or k.startswith("--")}
    for _, _, _, declarations in sorted(_rules().match(element), key=lambda match: match[:2]):
        style |= declarations
    transform = f"{transform} {attributes.get('transform', '')}".strip()
    shape = _outline(element.etree_element)
    if shape is not None:
        yield _shape(*shape, transform, style)
    for child in element.iter_children():
        yield from _painted(child, style, transform)


def _outline(element: Element) -> tuple[str, Box | None] | None:
    """Return the path, or the box of the ellipse, that an element draws; None: it draws nothing."""
    if element.tag == "path":
        return element.attrib["d"], None
    if element.tag == "circle":
        x, y, r = _numbers(element, "cx", "cy", "r")
        return "", (x - r, y - r, 2 * r, 2 * r)
    if element.tag == "ellipse":
        x, y, rx, ry = _numbers(element, "cx", "cy", "rx", "ry")
        return "", (x - rx, y - ry, 2 * rx, 2 * ry)
    if element.tag == "rect":
        x, y, w, h, r = _numbers(element, "x", "y", "width", "height", "rx")
        arc = f"a{r} {r} 0 0 1"
        right, left = f"h{w - 2 * r}{arc} {r} {r}", f"h{2 * r - w}{arc} {-r} {-r}"
        return f"M{x + r} {y}{right}v{h - 2 * r}{arc} {-r} {r}{left}v{2 * r - h}{arc} {r} {-r}Z", None
    return None


def _numbers(element: Element, *names: str) -> list[float]:
    return [float(element.attrib.get(name, "0")) for name in names]


def _shape(path: str, ellipse: Box | None, transform: str, style: Mapping[str, str]) -> Shape:
    declarations = {
        name: _resolved(value, style) for name, value in style.items() if not name.startswith("--")
    }
    dash = declarations.get("stroke-dasharray", "")
    return Shape(
        path,
        ellipse,
        transform,
        _colour(declarations["fill"], style),
        _colour(declarations["stroke"], style),
        float(declarations["stroke-width"]),
        () if dash in ("none", "") else tuple(float(n) for n in dash.split()),
        float(declarations.get("opacity", "1")),
        declarations.get("fill-rule") == "evenodd",
    )


def _resolved(value: str, style: Mapping[str, str]) -> str:
    """Return a value with its custom properties filled in."""
    found = re.fullmatch(r"var\((--[\w-]+)(?:,\s*(.*))?\)", value)
    return _resolved(style.get(found[1], found[2] or ""), style) if found else value


def _colour(value: str, style: Mapping[str, str]) -> str | None:
    """Return a colour as #rrggbb; None: nothing."""
    if value in ("none", "transparent", ""):
        return None
    if value == "currentColor":
        return _resolved(style["color"], style)
    return value if len(value) == 7 else "#" + "".join(2 * digit for digit in value[1:])


# --- onto a page ---------------------------------------------------------------------------------


def draw(canvas: Any, drawing: Drawing, x: float, y: float, width: float, height: float) -> None:
    """Draw in the middle of a box of a ReportLab canvas, as large as fits; (x, y) is its lower left."""
    left, top, wide, high = drawing.box
    scale = min(width / wide, height / high)
    canvas.saveState()
    canvas.setLineCap(1)
    canvas.setLineJoin(1)
    canvas.translate(x + (width - wide * scale) / 2, y + (height + high * scale) / 2)
    canvas.scale(scale, -scale)
    canvas.translate(-left, -top)
    for shape in drawing.shapes:
        _draw_shape(canvas, shape)
    canvas.restoreState()


def _draw_shape(canvas: Any, shape: Shape) -> None:
    canvas.saveState()
    for what, values in re.findall(r"(\w+)\(([^)]*)\)", shape.transform):
        _transform(canvas, what, [float(n) for n in re.split(r"[\s,]+", values.strip())])
    if shape.fill:
        canvas.setFillColor(shape.fill, alpha=shape.opacity)
    if shape.stroke:
        canvas.setStrokeColor(shape.stroke, alpha=shape.opacity)
        canvas.setLineWidth(shape.width)
        canvas.setDash(*shape.dash) if len(shape.dash) == 2 else None
    path = canvas.beginPath()
    if shape.ellipse:
        path.ellipse(*shape.ellipse)
    else:
        _trace(path, shape.path)
    canvas.drawPath(
        path, stroke=bool(shape.stroke), fill=bool(shape.fill), fillMode=0 if shape.even_odd else 1
    )
    canvas.restoreState()


def _transform(canvas: Any, what: str, values: list[float]) -> None:
    if what == "translate":
        canvas.translate(*values)
    elif what == "scale":
        canvas.scale(values[0], values[-1])
    elif what == "rotate":
        angle, x, y = values if len(values) == 3 else (values[0], 0.0, 0.0)
        canvas.translate(x, y)
        canvas.rotate(angle)
        canvas.translate(-x, -y)
    else:
        raise InvalidInput(f"a drawing cannot be turned by {what!r} on paper: use translate, scale or rotate")


def _trace(path: Any, data: str) -> None:
    """Draw an SVG path: its moves, lines, curves and arcs of circles."""
    for part in parse_path(data):
        end = _xy(part.end)
        if isinstance(part, Move):
            path.moveTo(*end)
        elif isinstance(part, Close):
            path.close()
        elif isinstance(part, Line):
            path.lineTo(*end)
        elif isinstance(part, CubicBezier):
            path.curveTo(*_xy(part.control1), *_xy(part.control2), *end)
        elif isinstance(part, Arc):
            low, high = _xy(part.center - part.radius), _xy(part.center + part.radius)
            path.arcTo(*low, *high, part.theta, part.delta)
        else:
            raise InvalidInput(
                f"paper cannot draw a {type(part).__name__} of a path: use M, L, H, V, C, A or Z"
            )


def _xy(point: complex) -> tuple[float, float]:
    return point.real, point.imag
