"""The schema of a hub's database for SQLAlchemy; `migrations` create it from any earlier version."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _own_time(context: Any) -> Any:
    """Return the table's time of the game's end, if the hub's time is not known."""
    return context.get_current_parameters()["at"]


tables: Final = Table(
    "tables",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(200), nullable=False, unique=True),
    Column("key", String(64)),  # its public key, from its first record on
    Column("told", Integer, nullable=False, default=0),  # the last entry that was received
    Column("gaps", Integer, nullable=False, default=0),  # number of events with missing ones before them
    Column("here", Boolean, nullable=False, default=False),
    Column("heard", DateTime(timezone=True), nullable=False),
)

pages: Final = Table(
    "pages",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("body", Text, nullable=False),  # as published: the content of its pages, by language
)

events: Final = Table(
    "events",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("entry", Integer, primary_key=True, autoincrement=False),
    Column("match", Integer, nullable=False),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("heard", DateTime(timezone=True), nullable=False),
    Column("state", String(10), nullable=False),
    Column("body", Text, nullable=False),  # as published
    Index(None, "table_id", "match", "entry"),
)

games: Final = Table(
    "games",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("match", Integer, nullable=False),
    Column("entry", Integer, nullable=False),  # the event that ended it
    Column("at", DateTime(timezone=True), nullable=False, index=True),
    Column("game", String(100), nullable=False),
    Column("counts", Boolean, nullable=False),  # False: its end was taken back
    Column("sealed", Text, nullable=False),  # the record as its table signed it
    # By the hub's clock: arrival of its first end; of its first event, None: not received during the game.
    Column("heard", DateTime(timezone=True), index=True, default=_own_time),
    Column("began", DateTime(timezone=True)),
    UniqueConstraint("table_id", "match"),
)

results: Final = Table(
    "results",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("name", String(200), nullable=False, index=True),
    Column("score", Integer, nullable=False),
    Column("place", Integer),  # None: has no place in a game that is over (did not arrive)
    Column("victory", Float, nullable=False),  # its share of it
    Column("luck", Integer),  # in points of a hundred; None: not known, or no clear difference
    Column("whose", String(9), nullable=False, server_default="name"),  # or `guest`, `forgotten`
)

waiting: Final = Table(  # records that are not replayed yet
    "waiting",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("table", String(200), nullable=False),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("body", Text, nullable=False),  # as it came
)

refused: Final = Table(  # the quarantine: messages that were not stored, and why
    "refused",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("table", String(200), nullable=False),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("reason", Text, nullable=False),
    Column("body", Text, nullable=False),  # as received, without characters that no database stores
    Column("kind", String(10), nullable=False, server_default="records"),  # of its topic
)

people: Final = Table(
    "people",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(200), nullable=False, unique=True),
    Column("code", String(200), nullable=False),  # a hash of it
    Column("since", DateTime(timezone=True), nullable=False),
)

names: Final = Table(  # people's names at tables, including their own
    "names",
    metadata,
    Column("name", String(200), primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
)

leagues: Final = Table(
    "leagues",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("slug", String(60), nullable=False, unique=True),  # in addresses
    Column("name", String(200), nullable=False),
    Column("kind", String(11), nullable=False),  # one of leagues.KINDS
    Column("game", String(100)),  # None: any
    Column("since", DateTime(timezone=True), nullable=False),
    Column("until", DateTime(timezone=True)),  # None: it goes on
    Column("seats", Integer, nullable=False),  # how many usually sit at a table
    Column("points", String(200), nullable=False),  # by place, as JSON
)

members: Final = Table(
    "members",
    metadata,
    Column("league_id", ForeignKey("leagues.id", ondelete="CASCADE"), primary_key=True),
    Column("name", String(200), primary_key=True),
)

rounds: Final = Table(
    "rounds",
    metadata,
    Column("league_id", ForeignKey("leagues.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("tables", Text, nullable=False),  # the people at each, as JSON
    Column("games", Text, nullable=False, server_default="[]"),  # of each, stored at the next draw, as JSON
)

claims: Final = Table(  # pending ones, for the organiser
    "claims",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(200), nullable=False, index=True),
    Column("code", String(200)),  # a hash of the code that the new person was given; None: another spelling
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE")),  # the person who asks for a spelling
    Column("at", DateTime(timezone=True), nullable=False),
)

forgettings: Final = Table(
    "forgettings",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(200), nullable=False),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("due", DateTime(timezone=True), nullable=False),
    Column("done", DateTime(timezone=True)),
    Column("backup", Text),  # the data to undo it, as JSON; None before it is done and after deletion
)

withheld: Final = Table(  # matches of which no page and no event is stored: they name a former player
    "withheld",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("match", Integer, primary_key=True, autoincrement=False),
    Column("forgetting_id", ForeignKey("forgettings.id", ondelete="CASCADE"), nullable=False),
)

audit: Final = Table(  # changes of names and their authors
    "audit",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("actor", String(12), nullable=False),  # one of audit.Actor
    Column("action", String(20), nullable=False),  # one of audit.Action
    Column("name", String(200), nullable=False),
)

key_values: Final = Table(  # the hub's own data
    "kept",
    metadata,
    Column("key", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)
