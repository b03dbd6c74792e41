"""The products that the store shows, in a narrow table with a row for each sales channel (ListedProduct).

To skip the first 50,000 products of a list, PostgreSQL would look up the sales channel of each, or sort all of them.
From an index of this table it reads them in their order, with nothing else to look up.

Triggers write the table in each transaction that changes a product or a link (`triggers`), so that no writer can forget
it; `rebuild_search` repairs it (`relisting`). Both lock the search entries of the products first (catalog/search), as
the triggers of links do: of two transactions that write a product and its link, the second waits for the first, and
then sees what it has committed.
"""
