"""The products that the store shows, in a narrow table with a row for each sales channel (ListedProduct).

Without it, PostgreSQL would look up the sales channel of each skipped product of a list, or sort all of them; an index
of this table is already in order. Triggers maintain the table in each transaction that changes a product or a link
(`triggers`), so that no writer can forget it; `rebuild_search` repairs it (`rebuilding`).

Two more tables list these products by group, which is a tag or a category (ListedTag, ListedCategory; the modules
`group_*`), so that a list of one tag reads a range of one index.

On PostgreSQL, updating a product and rebuilding lock the search entry of the product first (catalog/search), as the
triggers of links do: of two transactions that write a product and its link, the second waits for the first, and then
sees what it has committed.
"""
