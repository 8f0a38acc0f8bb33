"""Bytes in, bytes out: which files there are, what they say, and how new contents get to disk."""
