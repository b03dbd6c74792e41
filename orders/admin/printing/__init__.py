"""What is printed for orders: packing lists, delivery notes, and all documents of many."""
