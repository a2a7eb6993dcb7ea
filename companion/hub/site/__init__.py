"""The hub's web site: the tables live, leagues, people, games; the organiser's pages."""

from companion.hub.site.app import create_hub

__all__ = ["create_hub"]
