"""From which device a claim came that waits, so that no device fills the list alone"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the column; claims that wait already are of no known device."""
    op.add_column("claims", sa.Column("device", sa.String(length=16), nullable=True))


def downgrade() -> None:
    """Remove the column."""
    op.drop_column("claims", "device")
