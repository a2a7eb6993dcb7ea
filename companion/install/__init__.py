"""The companion as a part of its machine: what `companion install` puts there, and takes away again."""
