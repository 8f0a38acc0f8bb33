"""The native tier: source text in which functions have taken the place of sessions and graphs."""
