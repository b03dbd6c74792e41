"""The names of tables and columns, quoted for statements that are written by hand."""

from django.db import connection, models


def quoted(name: str) -> str:
    """The name as the database takes it."""
    return connection.ops.quote_name(name)


def table(model: type[models.Model]) -> str:
    """The model's table."""
    return quoted(model._meta.db_table)


def column(model: type[models.Model], name: str) -> str:
    """The column of the model's field or attribute: `region` and `region_id` are the same one."""
    return quoted(str(model._meta.get_field(name).column))  # type: ignore[union-attr]
