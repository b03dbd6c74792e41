"""The manager of a web process: granian's command line in a process that ends with `serve`."""

from commerce.operations.server.parent_process import end_with_parent

if __name__ == "__main__":
    from granian.cli import entrypoint

    end_with_parent()
    entrypoint()  # type: ignore[no-untyped-call]
