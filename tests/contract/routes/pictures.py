"""Uploads."""

from tests.contract.routes.examples import Example, Form
from tests.pictures.files import PictureFactory, form, picture

EXAMPLES = {
    "/admin/uploads": Example(lambda: "/admin/uploads", {"create": lambda: Form(form(picture()))}),
    "/admin/uploads/<str:id>": Example(lambda: f"/admin/uploads/{PictureFactory().pk}"),
}
