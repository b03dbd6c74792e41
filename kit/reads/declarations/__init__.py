"""What a resource declares: shapes, fields, computed fields, orders, visibility."""
