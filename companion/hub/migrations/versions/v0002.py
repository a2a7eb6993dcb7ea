"""Quarantine by kind of message; claims that wait, delayed forgetting, an audit log."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add them."""
    with op.batch_alter_table("refused") as batch:
        batch.add_column(sa.Column("kind", sa.String(length=10), nullable=False, server_default="records"))
    op.create_table(
        "claims",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("code", sa.String(length=200), nullable=True),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_claims_person_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_claims")),
    )
    with op.batch_alter_table("claims") as batch:
        batch.create_index(batch.f("ix_claims_name"), ["name"], unique=False)
    op.create_table(
        "forgettings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due", sa.DateTime(timezone=True), nullable=False),
        sa.Column("done", sa.DateTime(timezone=True), nullable=True),
        sa.Column("backup", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_forgettings")),
    )
    op.create_table(
        "withheld",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("match", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("forgetting_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_withheld_table_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["forgetting_id"], ["forgettings.id"], name=op.f("fk_withheld_forgetting_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "match", name=op.f("pk_withheld")),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.String(length=12), nullable=False),
        sa.Column("action", sa.String(length=20), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )


def downgrade() -> None:
    """Take them away."""
    for table in ("audit", "withheld", "forgettings"):
        op.drop_table(table)
    with op.batch_alter_table("claims") as batch:
        batch.drop_index(batch.f("ix_claims_name"))
    op.drop_table("claims")
    with op.batch_alter_table("refused") as batch:
        batch.drop_column("kind")
