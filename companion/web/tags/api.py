"""Tags over HTTP: the box that is being enrolled, and export and import of all tags."""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response, current_app, render_template

from companion.devices.uid_text import found_uid, uid_of
from companion.devices.usb import UsbPad
from companion.errors import ConflictError, ValidationError
from companion.http.request import Empty, as_json, body, entry, table
from companion.http.roles import needs
from companion.reply import Count, Done, GameName, Means, Reply, Uid
from companion.settings import TagFormat
from companion.table.snapshot import Snapshot
from companion.tags.tagfile import checked_uid, read_tags, write_table, write_tags

tags_api = Blueprint("tags_api", __name__, url_prefix="/api/tags")


class Box(msgspec.Struct, forbid_unknown_fields=True):
    """The game whose things get their tags, and which edition, if there are several."""

    game: str
    edition: str = ""


class Thing(msgspec.Struct, forbid_unknown_fields=True):
    """A card or a piece, as a tag means it."""

    means: str


class Hold(msgspec.Struct, forbid_unknown_fields=True):
    """A tag, as another reader types it; `anyway`: also if it is another thing's."""

    uid: str
    anyway: bool = False


class TagsFile(msgspec.Struct, forbid_unknown_fields=True):
    """The text of a tag list."""

    tags: str


class Enrolling(Reply):
    """The box that is being enrolled, the thing due (null: everything has its tag), and how many have one."""

    game: GameName
    next: Means | None
    done: Count
    of: Count


class AllTags(Reply):
    """The meaning of every tag, and the box that is being enrolled."""

    tags: dict[Uid, Means]
    enrolling: Enrolling | None


class Enrolled(Done):
    """Done; the progress of the box."""

    enrolling: Enrolling | None


class Learnt(Done):
    """The number of tags of a list that are known now."""

    learnt: Count


def tags_page() -> str:
    """Return the page to give cards and pieces their tags."""
    return render_template("tags/tags.html")


@tags_api.get("")
@needs("host")
@as_json
def get_tags() -> AllTags:
    """Return the meaning of every tag, and the box that is being enrolled."""
    picture = table().snapshot
    return AllTags(tags=dict(picture.tags), enrolling=_enrolling(picture))


def _enrolling(picture: Snapshot) -> Enrolling | None:
    now = picture.enrolment
    if now is None:
        return None
    return Enrolling(game=now.game, next=now.at, done=len(now.done()), of=len(now.things))


@tags_api.post("/enrol")
@needs("host")
@as_json
def post_enrol() -> Enrolled:
    """Enrol a box from its first thing without a tag on."""
    box = body(Box)
    table().ask(lambda t: t.tags.enrol(box.game, box.edition))
    return _done()


@tags_api.post("/stop")
@needs("host")
@as_json
def post_stop() -> Enrolled:
    """Stop; tags that were given stay."""
    body(Empty)
    table().ask(lambda t: t.tags.stop_enrolling())
    return _done()


@tags_api.post("/next")
@needs("host")
@as_json
def post_next() -> Enrolled:
    """Make this thing the next to get a tag."""
    means = body(Thing).means
    table().ask(lambda t: t.tags.go_on_enrolling(lambda now: now.going_to(means)))
    return _done()


@tags_api.post("/again")
@needs("host")
@as_json
def post_again() -> Enrolled:
    """Give tags again to everything from the thing due on."""
    body(Empty)
    table().ask(lambda t: t.tags.go_on_enrolling(lambda now: now.from_here_again()))
    return _done()


@tags_api.post("/undo")
@needs("host")
@as_json
def post_undo() -> Enrolled:
    """Take back the last tag."""
    body(Empty)
    try:
        table().ask(lambda t: t.tags.go_on_enrolling(lambda now: now.undone()))
    except ValidationError as refusal:
        raise ConflictError("nothing", refusal.sentence) from None
    return _done()


@tags_api.post("/hold")
@needs("host")
@as_json
def post_hold() -> Enrolled:
    """Take a tag that another reader has read, or that was typed."""
    held = body(Hold)
    form = _format()
    # a reader that types into the field knows its format, a person writes hex
    typed = uid_of(held.uid, form)
    uid = typed or checked_uid(held.uid, "auto" if found_uid(held.uid, form) is None else form)
    table().ask(lambda t: t.tags.hold(uid, held.anyway))
    return _done()


def _done() -> Enrolled:
    return Enrolled(seq=entry(), enrolling=_enrolling(table().snapshot))


@tags_api.post("")
@needs("host")
@as_json
def post_tags() -> Learnt:
    """Learn the tags of a list."""
    tags = read_tags(body(TagsFile).tags, _format())
    table().ask(lambda t: t.tags.bind(tags))
    return Learnt(seq=entry(), learnt=len(tags))


@tags_api.get("/list.txt")
@needs("host")
def get_list() -> Response:
    """Return all tags, as `POST /api/tags` reads them."""
    headers = {"Content-Disposition": 'attachment; filename="tags.txt"'}
    text = write_tags(table().snapshot.tags, _format())
    return Response(text, mimetype="text/plain", headers=headers)


@tags_api.get("/list.csv")
@needs("host")
def get_table() -> Response:
    """Return all tags as a table for spreadsheets, which `POST /api/tags` reads again."""
    headers = {"Content-Disposition": 'attachment; filename="tags.csv"'}
    return Response(write_table(table().snapshot.tags), mimetype="text/csv", headers=headers)


def _format() -> TagFormat:
    """Return the format in which readers and lists of this table write a UID."""
    pad = current_app.extensions["companion.parts"].get("pad")
    if isinstance(pad, UsbPad):
        return pad.form
    form: TagFormat = current_app.extensions["companion.tag_format"]
    return form
