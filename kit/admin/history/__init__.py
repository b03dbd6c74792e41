"""What changed, when and by whom; conflicts of two editors."""
