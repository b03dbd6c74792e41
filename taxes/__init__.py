"""Tax regions and their rates: which taxes goods owe in a place."""
