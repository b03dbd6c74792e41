"""How programs send spreadsheets of products."""

from typing import Any
from urllib.parse import urlsplit

from django.test.client import BOUNDARY, MULTIPART_CONTENT

from tests.catalog.spreadsheets.importing import lines
from tests.catalog.spreadsheets.test_medusa_template import HEADER, MUG, SHIRTS
from tests.contract.callers import NOBODY, Caller

IMPORTING = ("catalog.add_product", "catalog.change_product", "catalog.view_product", "pictures.add_picture")
FILE = lines(HEADER, MUG, *SHIRTS).encode()


def form(content: bytes, *, field: str = "file", name: str = "../../etc/products.csv") -> dict[str, Any]:
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{field}"; filename="{name}"\r\n\r\n'.encode()
    return {"body": head + content + f"\r\n--{BOUNDARY}--\r\n".encode(), "content_type": MULTIPART_CONTENT}


def sent(program: Caller, content: bytes = FILE, mime_type: str = "text/csv") -> dict[str, Any]:
    """What the SDK's createImport sends last, once the file lies at its address."""
    asked = {"originalname": "products.csv", "mime_type": mime_type, "size": len(content)}
    address = program.post("/admin/uploads/presigned-urls", asked).json()
    path = urlsplit(address.pop("url")).path
    assert NOBODY.send("PUT", path, content, content_type=mime_type).status_code == 200
    return {"file_key": address.pop("filename"), **address}
