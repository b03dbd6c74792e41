"""A program that makes one PDF: `python -I pdf_program.py FOLDER…`, with HTML as its input and the PDF as its output.

The HTML may use files of these folders as `package:NAME`, and `data:`. Nothing else is read: no network, no other file.
It runs by itself, since a document that is too large must harm nothing: no environment, bounded memory and CPU time.
"""

import re
import resource
import sys
from pathlib import Path

SECONDS = 20
MEMORY = 300 * 1024**2
_NAME = re.compile(r"package:([\w.-]+)")


def main(*folders: str) -> None:
    """Write the PDF. What the document names and may not have ends the program."""
    from weasyprint import HTML  # noqa: PLC0415 - after the limits are set
    from weasyprint.urls import URLFetcher, URLFetcherResponse  # noqa: PLC0415

    class PackagedFiles(URLFetcher):  # type: ignore[misc]  # it comes without types
        def fetch(self, url: str, headers: object = None) -> URLFetcherResponse:
            if url.startswith("data:"):
                return super().fetch(url, headers)
            name = _NAME.fullmatch(url)
            found = (Path(folder) / name[1] for folder in folders) if name else ()
            path = next((path for path in found if path.is_file()), None)
            if path is None:
                raise ValueError(f"{url[:200]} is none of the packaged files")
            return URLFetcherResponse(url, path.read_bytes())

    fetcher = PackagedFiles(fail_on_errors=True)
    html = HTML(string=sys.stdin.buffer.read().decode(), base_url="package:", url_fetcher=fetcher)
    sys.stdout.buffer.write(html.write_pdf())


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    main(*sys.argv[1:])
