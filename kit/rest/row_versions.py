"""The version of a row between its readers and writers: the ETag of an answer, and the header If-Match of a change."""

from collections.abc import Callable
from typing import TypeVar

from django.http import HttpResponse

from kit.errors import InvalidData
from kit.rest.viewsets import AdminEndpoint

Version = TypeVar("Version")


class VersionedEndpoint(AdminEndpoint):
    """Routes whose answers of one row have an ETag: `tag` sets it, `held` reads the one that a change sends back."""

    _etag = ""

    def tag(self, version: object) -> None:
        """Name the version of the row that is answered."""
        self._etag = f'"{version}"'

    def held(self, parse: Callable[[str], Version | None]) -> Version | None:
        """The version in the header If-Match; None without one, or for any.

        Proxies that compress responses make the tag weak: `W/"…"`. Raises InvalidData for what `parse` answers None to.
        """
        tag = self.request.META.get("HTTP_IF_MATCH", "*")
        if tag == "*":
            return None
        version = parse(tag.removeprefix("W/").strip('"'))
        if version is None:
            raise InvalidData("Invalid request: Header 'If-Match' must be the ETag of an earlier response")
        return version

    def perform(self) -> HttpResponse:
        response = super().perform()
        if self._etag and not self.is_dry:
            response.headers["ETag"] = self._etag
        return response
