"""The parts that touch the table: a file a part. They sense and show; they know no rules."""
