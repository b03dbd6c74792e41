"""The page that uploads pictures of a product with a plain form, for browsers that do not run scripts."""

from collections.abc import Sequence
from functools import partial

from django.contrib import messages
from django.contrib.admin.utils import quote
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import TemporaryUploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from catalog.models import Product
from catalog.products.product_pictures import add_pictures
from kit.admin.base_admin import BaseAdmin
from kit.admin.request_actor import request_actor
from kit.errors import DomainError
from kit.rest.requests.multipart import read_files
from kit.rest.requests.origins import is_own_page
from kit.server.uploads import ACCEPTED, HEAD
from pictures import originals
from pictures.errors import FilesRefused
from pictures.receiving import LARGEST_FILE, MOST_FILES, PERMISSION, receive

NAME = "catalog_product_pictures"
FIELD = "files"


@csrf_exempt
def upload_pictures(request: HttpRequest, object_id: str, model_admin: BaseAdmin[Product]) -> HttpResponse:
    """Show the form, or receive its files.

    The front sends the head first, which lacks the form's token, so `csrf_protect` runs once the body is there.
    """
    product = model_admin.get_object_or_404(request, object_id)
    if not model_admin.has_change_permission(request, product) or not request_actor(request).may(PERMISSION):
        raise PermissionDenied
    if request.method != "POST":
        return _page(model_admin, request, product)
    if not is_own_page(request):
        raise PermissionDenied
    if HEAD in request.META:
        return HttpResponse(status=ACCEPTED)
    try:
        files = read_files(request, FIELD, directory=originals.directory(), is_page=True)
    except DomainError as refusal:
        return _page(model_admin, request, product, refusal.message)
    protected: HttpResponse = csrf_protect(partial(_receive, model_admin, files=files))(request, product=product)
    return protected


UPLOAD_URL = ("<path:object_id>/pictures/", NAME, upload_pictures)
"""For `custom_urls` of the screen of products."""


def _receive(
    screen: BaseAdmin[Product], request: HttpRequest, *, product: Product, files: Sequence[TemporaryUploadedFile]
) -> HttpResponse:
    actor = request_actor(request)
    try:
        pictures = receive(actor=actor, files=files)
        added = add_pictures(actor=actor, product_id=product.pk, addresses=[one.path for one in pictures])
    except FilesRefused as refusal:
        name = "The form" if refusal.place is None else files[refusal.place].name
        return _page(screen, request, product, f"{name} {refusal.reason}.")
    except DomainError as refusal:
        return _page(screen, request, product, refusal.message)
    screen.log_change(request, product, [{"added": {"name": "picture", "object": str(one)}} for one in added])
    count = f"{len(added)} picture{'' if len(added) == 1 else 's'}"
    screen.message_user(request, f"{count} added. They are shown once they have been converted.", messages.SUCCESS)
    return redirect("admin:catalog_product_change", quote(product.pk))


def _page(screen: BaseAdmin[Product], request: HttpRequest, product: Product, refusal: str = "") -> HttpResponse:
    return screen.page(
        request,
        "catalog/upload_pictures.html",
        original=product,
        title=f"Upload pictures of {product}",
        refusal=refusal,
        field=FIELD,
        most_files=MOST_FILES,
        largest=LARGEST_FILE // 1024**2,
    )
