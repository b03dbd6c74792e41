"""Imports of products, and exports of products and stock, as programs start them."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import count
from os import fstat
from typing import Any, BinaryIO, ClassVar, cast

from django.urls import path
from rest_framework import serializers
from rest_framework.request import Request

from catalog.api import resources
from catalog.spreadsheets.products import PRODUCTS
from kit.errors import InvalidData, NotFound
from kit.query.paging import Page
from kit.reads.plans.bounds import MAX_ROWS
from kit.reads.resources import Resource
from kit.rest.requests.input_fields import CharField, IntegerField
from kit.rest.requests.inputs import Input
from kit.rest.requests.multipart import FileForm, read_files
from kit.rest.viewsets import AdminEndpoint
from kit.spreadsheets import files, sent_files
from kit.spreadsheets.declarations import Result
from kit.spreadsheets.jobs import start_apply, start_export
from kit.spreadsheets.previews import preview
from kit.spreadsheets.uploads import imports_of, upload
from kit.values.json import JSONObject

MOST_AT_ONCE = 16 * 1024 * 1024
MOST_ROWS_AT_ONCE = 20_000
"""A request waits for its preview: of so many rows it takes about 5 s."""
_IMPORTING = "catalog.change_product"
_OPTIONS = {name: option.description for name, option in PRODUCTS.options.items()}


class ImportSummarySerializer(serializers.Serializer[Any]):
    """How many products an import would create, and how many it would change."""

    toCreate = serializers.IntegerField()  # noqa: N815 - Medusa's name
    toUpdate = serializers.IntegerField()  # noqa: N815


class ImportProblemSerializer(serializers.Serializer[Any]):
    """Why a row would be skipped."""

    row = serializers.IntegerField(help_text="Of the file; its headers are in row 1.")
    column = serializers.CharField(help_text="Its header; empty for the row as a whole.")
    message = serializers.CharField()


class ImportCreatedSerializer(serializers.Serializer[Any]):
    """The preview of an import."""

    transaction_id = serializers.CharField(help_text="The id of the import, by which it is confirmed.")
    summary = ImportSummarySerializer()
    problems = ImportProblemSerializer(many=True, help_text="The first 1,000.")


class JobStartedSerializer(serializers.Serializer[Any]):
    """Work in the background."""

    transaction_id = serializers.CharField(help_text="The id of its job, by which the admin site finds it.")


class UploadedProductsInput(Input):
    """A file that was sent to an address of POST /admin/uploads/presigned-urls."""

    file_key = CharField(help_text="The `filename` that came with the address.")
    originalname = CharField(allow_blank=False)
    extension = CharField(required=False)
    size = IntegerField(required=False)
    mime_type = CharField(required=False)


class _Imports(AdminEndpoint):
    """What both ways to bring a file share. The query chooses what holds for the whole file."""

    @classmethod
    def offered(cls, action: str) -> Collection[str]:
        return () if action == "confirm" else tuple(_OPTIONS)

    def _created(self, file: BinaryIO, name: str, size: int) -> JSONObject:
        if size > MOST_AT_ONCE:
            most = MOST_AT_ONCE // 1024**2
            raise InvalidData(f"The file is larger than {most} MB: import it on the admin site, or split it.")
        options = {key: value for key, value in self.query.items() if isinstance(value, str)}
        if wrong := self.query.keys() - options.keys():
            raise InvalidData(f"Invalid request: Field '{min(wrong)}' must be a single text")
        one = upload(actor=self.actor, spreadsheet=PRODUCTS.key, file=file, name=name, options=options)
        preview(one, actor=self.actor, most=MOST_ROWS_AT_ONCE)
        counts = {"toCreate": one.counts.get(Result.NEW, 0), "toUpdate": one.counts.get(Result.CHANGED, 0)}
        problems: list[Any] = [
            {"row": row, "column": column, "message": message} for row, column, message in one.problems
        ]
        return {"transaction_id": one.pk, "summary": counts, "problems": problems}


class ProductImportFiles(_Imports):
    """Files of products, in a multipart form."""

    answers = {"create": ImportCreatedSerializer}
    permissions = {"create": _IMPORTING}
    query_parameters = {"create": _OPTIONS}
    takes_files = frozenset({"create"})
    files_form = FileForm
    largest_file = MOST_AT_ONCE + 64 * 1024  # the form besides its file
    accepts_idempotency_key = False  # it writes nothing but its preview

    def create(self, request: Request) -> JSONObject:
        """Upload products as CSV or XLSX, as `file` of a multipart form, and get a preview. Confirm it to apply it."""
        sent = read_files(request._request, "file", directory=files.directory())
        if len(sent) != 1:
            raise InvalidData("Invalid request: Field 'file' must be one file")
        return self._created(cast("BinaryIO", sent[0]), sent[0].name or "", sent[0].size or 0)


class ProductImports(_Imports):
    """Imports of files that were sent before, and their confirmation."""

    inputs = {"create": UploadedProductsInput}
    answers = {"create": ImportCreatedSerializer, "confirm": JobStartedSerializer}
    permissions = {"create": _IMPORTING, "confirm": _IMPORTING}
    query_parameters = {"create": _OPTIONS}

    def create(self, request: Request) -> JSONObject:
        """Get a preview of a file of products that was sent to a presigned address. Confirm it to apply it."""
        body = self.body()
        with sent_files.taken(self.actor, body["file_key"]) as file:
            return self._created(file, body["originalname"], fstat(file.fileno()).st_size)

    def confirm(self, request: Request, id: str) -> JSONObject:
        """Apply an import in the background. Products that changed since the preview are skipped."""
        one = imports_of(self.actor).filter(pk=id, spreadsheet=PRODUCTS.key).first()
        if one is None:
            raise NotFound(f"Import with id: {id} was not found")
        return {"transaction_id": start_apply(one, actor=self.actor).pk}


class _Exports(AdminEndpoint):
    """Exports as CSV of what meets the filters of a list; limit, offset, order and fields do not count.

    listed: whose filters count. noun: of its rows, for the API document.
    """

    listed: ClassVar[Resource]
    noun: ClassVar[str]
    spreadsheet: ClassVar[str]
    answers = {"create": JobStartedSerializer}

    def take_query(self) -> None:
        """The parameters of the list, all of them checked."""
        self.query = self.parameters(self.request.META.get("QUERY_STRING", ""))
        self.listed.list_query(self.query)

    def create(self, request: Request) -> JSONObject:
        """Export {noun} as CSV, by the list's filters. Whoever starts the job gets its file on the admin site."""
        keys = None if self.query.keys() <= {"limit", "offset", "order", "fields"} else self._keys()
        return {"transaction_id": start_export(self.spreadsheet, actor=self.actor, format=files.CSV, keys=keys).pk}

    def _keys(self) -> Iterator[str]:
        filters = {name: value for name, value in self.query.items() if name not in ("limit", "offset")}
        query = self.listed.list_query({**filters, "fields": "id", "order": "id"})
        for number in count():
            rows = self.listed.page(replace(query, page=Page(MAX_ROWS, number * MAX_ROWS)), self.actor).answers
            yield from (row["id"] for row in rows)
            if len(rows) < MAX_ROWS:
                return


class ProductExports(_Exports):
    """Exports of products."""

    listed = resources.ADMIN_PRODUCTS
    noun = "products"
    spreadsheet = "products"
    permissions = {"create": "catalog.view_product"}


class StockExports(_Exports):
    """Exports of stock."""

    listed = resources.INVENTORY_ITEMS
    noun = "stock"
    spreadsheet = "stock"
    permissions = {"create": "catalog.view_inventorylevel"}


urlpatterns = [
    path("products/import", ProductImportFiles.as_view({"post": "create"})),
    path("products/imports", ProductImports.as_view({"post": "create"})),
    path("products/imports/<str:id>/confirm", ProductImports.as_view({"post": "confirm"})),
    path("products/export", ProductExports.as_view({"post": "create"})),
    path("inventory-items/export", StockExports.as_view({"post": "create"})),
]
