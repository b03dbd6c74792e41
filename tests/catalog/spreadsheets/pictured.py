"""Files of products with pictures at another host."""

from catalog.models import ProductImage
from tests.pictures.host import Host

HEADER = "Product Handle,Product Title,Product Thumbnail,Product Image 1 Url,Product Image 2 Url"
FAILED = "The picture could not be fetched."


def row(number: int, *addresses: str) -> str:
    return f"thing-{number},Thing {number},{','.join(addresses)}"


def things(host: Host, count: int) -> list[str]:
    """Rows of products with a thumbnail and two images each, the first of which is the thumbnail, too."""
    found = []
    for number in range(count):
        first, second = host.has(f"/{number}-1.png", f"/{number}-2.png")
        found.append(row(number, first, first, second))
    return found


def images() -> dict[str, list[str]]:
    """The addresses of images by the handle of their product."""
    found: dict[str, list[str]] = {}
    rows = ProductImage.objects.not_deleted().order_by("product", "rank")
    for handle, url in rows.values_list("product__handle", "url"):
        found.setdefault(handle, []).append(url)
    return found
