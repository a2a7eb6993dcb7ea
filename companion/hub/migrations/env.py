"""Alembic's entry: migrates over the connection that `companion.hub.database` hands in."""

from __future__ import annotations

from alembic import context

from companion.hub.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite alters no table otherwise
)
with context.begin_transaction():
    context.run_migrations()
