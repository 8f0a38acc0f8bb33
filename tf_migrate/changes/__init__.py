"""From what a fact or rule says to spans of new text."""
