"""Links to related rows in read-only fields."""

from django.db.models import Model
from unfold.fields import UnfoldAdminReadonlyField

from kit.admin.lists.row_link import opening_link


class ReadonlyField(UnfoldAdminReadonlyField):  # type: ignore[misc]
    """Links to the related row only for users who may open it; Django and the theme link it for everybody.

    The request is `shown_to` of the form's class, which is made for each request.
    """

    def get_admin_url(self, remote_field: object, remote_obj: Model) -> str:
        request = getattr(self.form, "shown_to", None)
        return str(remote_obj) if request is None else opening_link(request, remote_obj)
