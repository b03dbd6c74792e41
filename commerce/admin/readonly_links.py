"""Related rows in fields that are only shown."""

from typing import Any

from django.db.models import Model
from unfold.fields import UnfoldAdminReadonlyField

from commerce.admin.row_link import opening_link


class ReadonlyField(UnfoldAdminReadonlyField):  # type: ignore[misc]
    """A link to the related row for those who may open it; Django and the theme link it for everybody.

    The form has the request that it is shown to: `shown_to` on its class, which is made for each request.
    """

    def get_admin_url(self, remote_field: Any, remote_obj: Model) -> str:
        request = getattr(self.form, "shown_to", None)
        return str(remote_obj) if request is None else opening_link(request, remote_obj)
