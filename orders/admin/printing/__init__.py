"""What is printed: packing lists, delivery notes, and documents with their screens."""
