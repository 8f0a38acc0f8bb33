"""Python code that tests of users build with: functions whose calls change what others give."""

HELPERS = """\
STACK = []
COUNT = {"n": 1.0}


def push(value):
    STACK.append(value)
    return value


def pop():
    return STACK.pop() if STACK else 100.0


def grow():
    COUNT["n"] += 1.0
    return COUNT["n"]
"""
