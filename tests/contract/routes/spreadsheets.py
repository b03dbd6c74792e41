"""Imports and exports of products and stock. Imports, and files that were sent, are their owner's alone."""

from io import BytesIO
from typing import Any

from django.test.client import BOUNDARY, MULTIPART_CONTENT

from kit.domain.actor import Actor
from kit.spreadsheets import sent_files
from kit.spreadsheets.previews import preview
from kit.values.ids import new_id
from staff.models import User
from tests.catalog.spreadsheets.importing import uploaded
from tests.contract.routes.examples import Example, Form
from tests.factories.staff import UserFactory

_FILE = b"Product Handle,Product Title\r\nmug,Mug\r\n"


def _owner() -> Actor:
    """The newest user, which is the caller in tests that have one; but with all permissions."""
    user = User.objects.order_by("-pk").first() or UserFactory()
    return Actor(type="user", id=user.pk, permitted=lambda permission: True)


def _form() -> Form:
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="mugs.csv"\r\n\r\n'.encode()
    return Form({"body": head + _FILE + f"\r\n--{BOUNDARY}--\r\n".encode(), "content_type": MULTIPART_CONTENT})


def _sent() -> dict[str, Any]:
    key = new_id("file")
    sent_files.keep(str(_owner().id), key, BytesIO(_FILE))
    return {"file_key": key, "originalname": "mugs.csv"}


def _confirmed() -> str:
    one = uploaded(_FILE, actor=_owner())
    preview(one, actor=_owner())
    return f"/admin/products/imports/{one.pk}/confirm"


EXAMPLES = {
    "/admin/products/import": Example(lambda: "/admin/products/import", {"create": _form}),
    "/admin/products/imports": Example(lambda: "/admin/products/imports", {"create": _sent}),
    "/admin/products/imports/<str:id>/confirm": Example(_confirmed),
    "/admin/products/export": Example(lambda: "/admin/products/export"),
    "/admin/inventory-items/export": Example(lambda: "/admin/inventory-items/export"),
}
