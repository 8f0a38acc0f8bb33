"""Programs that load a frozen graph and run it: which tensors they feed and fetch, by which sessions."""
