"""To and from other tools: CSV tables, Label Studio projects, item files."""
