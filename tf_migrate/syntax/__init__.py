"""One module's syntax: its tree, its scopes, what stands where."""
