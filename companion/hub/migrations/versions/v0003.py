"""When games were heard, and which games count for the tables of a round"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the columns; take a game heard before as begun and heard when its table says that it ended.

    Without `batch_alter_table`: it would replace `games`, and delete the results with the old table.
    """
    op.add_column("games", sa.Column("heard", sa.DateTime(timezone=True), nullable=True))
    op.add_column("games", sa.Column("began", sa.DateTime(timezone=True), nullable=True))
    op.execute("UPDATE games SET heard = at, began = at")
    op.create_index(op.f("ix_games_heard"), "games", ["heard"])
    op.add_column("rounds", sa.Column("games", sa.Text(), nullable=False, server_default="[]"))


def downgrade() -> None:
    """Remove the columns."""
    op.drop_column("rounds", "games")
    op.drop_index(op.f("ix_games_heard"), "games")
    op.drop_column("games", "began")
    op.drop_column("games", "heard")
