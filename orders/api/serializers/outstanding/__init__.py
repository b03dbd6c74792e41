"""What orders still owe: payment collections, and links by which they are paid."""
