"""The SQL that lists products by tag and by category, for the triggers, the repair and the checks."""

from dataclasses import dataclass

from catalog.listings.counts.queries import LINKS, PRODUCTS, shown

_KEY = "sales_channel_id, group_id, id"


@dataclass(frozen=True, slots=True)
class GroupListing:
    """A table that lists products by group: by tag or by category.

    group: `tag` or `category`. links, link_column: the table that links products to groups, and its column of these.
    """

    group: str
    table: str
    links: str
    link_column: str

    def expected_rows(self, condition: str = "true", *, links: str = "") -> str:
        """The query for the rows that the table should have.

        condition: on the tables `link`, `product` and `sold`. links: another table to read the links from.
        """
        return (
            f"SELECT sold.saleschannel_id AS sales_channel_id, link.{self.link_column} AS group_id, product.id "
            f"FROM {links or self.links} AS link JOIN {PRODUCTS} AS product ON product.id = link.product_id "
            f"JOIN {LINKS} AS sold ON sold.product_id = product.id WHERE {shown('product')} AND {condition}"
        )

    def rows_of_listed(self, listed: str) -> str:
        """The query for the rows of listed products. listed: a query for their `sales_channel_id` and `id`."""
        # Without WHERE, SQLite would read the ON of ON CONFLICT as that of the join.
        return (
            f"SELECT listed.sales_channel_id, link.{self.link_column} AS group_id, listed.id "
            f"FROM ({listed}) AS listed JOIN {self.links} AS link ON link.product_id = listed.id WHERE true"
        )

    def rows_of_links(self, links: str) -> str:
        """The query for the rows of links, which may be deleted already. links: a query for these."""
        return (
            f"SELECT sold.saleschannel_id, link.{self.link_column}, link.product_id "
            f"FROM ({links}) AS link JOIN {LINKS} AS sold ON sold.product_id = link.product_id"
        )

    def insert(self, rows: str) -> str:
        """The statement that adds those of these rows that are missing."""
        return f"INSERT INTO {self.table} ({_KEY}) {rows} ON CONFLICT DO NOTHING"

    def delete(self, rows: str) -> str:
        """The statement that removes these rows."""
        return f"DELETE FROM {self.table} WHERE ({_KEY}) IN ({rows})"

    @property
    def wrong_rows(self) -> str:
        """The query for the rows that the table should not have."""
        return f"SELECT {_KEY} FROM {self.table} EXCEPT SELECT {_KEY} FROM ({self.expected_rows()}) AS expected"

    @property
    def differences(self) -> str:
        """The query for the rows that are missing or wrong. It returns no rows if the table is right."""
        return (
            f"SELECT id, group_id, sales_channel_id FROM (SELECT {_KEY} FROM ({self.expected_rows()}) AS expected "
            f"EXCEPT SELECT {_KEY} FROM {self.table}) AS missing UNION "
            f"SELECT id, group_id, sales_channel_id FROM ({self.wrong_rows}) AS wrong"
        )


GROUP_LISTINGS = (
    GroupListing("tag", "catalog_listedtag", "catalog_product_tags", "producttag_id"),
    GroupListing("category", "catalog_listedcategory", "catalog_product_categories", "productcategory_id"),
)
