"""Uploads."""

from tests.contract.routes.examples import Example, Form
from tests.pictures.files import PictureFactory, form, picture, signed_path

EXAMPLES = {
    "/admin/uploads": Example(lambda: "/admin/uploads", {"create": lambda: Form(form(picture()))}),
    "/admin/uploads/presigned-urls": Example(
        lambda: "/admin/uploads/presigned-urls",
        {"create": {"originalname": "mug.png", "mime_type": "image/png", "size": 1000}},
    ),
    "/uploads/<str:token>": Example(
        signed_path, {"receive": lambda: Form({"body": picture(), "content_type": "image/png"})}
    ),
    "/admin/uploads/<str:id>": Example(lambda: f"/admin/uploads/{PictureFactory().pk}"),
}
