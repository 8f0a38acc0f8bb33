"""`tf-migrate explain` and `tf-migrate rules`: a rule's why, before and after; a symbol's row in words."""

from __future__ import annotations

import difflib
import re
import textwrap
from collections.abc import Mapping

from tf_migrate import facts, rules
from tf_migrate.facts import ArgumentEdit, Fact, keras2, shims
from tf_migrate.names.keras import only_in_keras_2
from tf_migrate.options import UsageError
from tf_migrate.rules import Rule

_CLAUSE_END = re.compile(r"[.;:] ")
_WIDTH = 110
_KEPT = "(tf-migrate explain TFM115; docs/keras.md says which programs do)."


def explain(name: str) -> str:
    """What there is to know about a rule or a symbol; raises `UsageError` with near names for an unknown one."""
    rule = rules.get(name)
    if rule is not None:
        return _rule(rule)
    if "." not in name:
        ids = [rule.id for rule in rules.all()]
        near = difflib.get_close_matches(name.upper(), ids, n=3, cutoff=0.7)
        near += difflib.get_close_matches(name.lower(), [rule.name for rule in rules.all()], n=3)
        raise UsageError(f"no rule {name}; {_hint(near, 'see `tf-migrate rules`')}; a symbol is written tf.NAME")
    symbol = _canonical(name)
    path = symbol.removeprefix("tf.keras.")
    if path != symbol and keras2.offers(path) and only_in_keras_2(symbol):
        return f"{symbol} is Keras 2's: a program that uses it keeps Keras 2, where it is compat.keras2.{path}\n{_KEPT}"
    fact = facts.lookup(symbol)
    if fact is not None and path != symbol and keras2.offers(path):
        return f"{_fact(symbol, fact)}\nIn a program that keeps Keras 2 it is compat.keras2.{path}\n{_KEPT}"
    if fact is not None:
        return _fact(symbol, fact)
    owner = facts.owner(symbol)
    if owner is not None and owner[0].kind == "class":
        return f"{symbol} goes with its class:\n{_fact(owner[0].symbol, owner[0])}"
    near = facts.near(symbol) or difflib.get_close_matches(symbol, facts.symbols(), n=5, cutoff=0.7)
    raise UsageError(f"TensorFlow 1.15 has no symbol {symbol}; {_hint(near, 'check the spelling')}")


def list_rules() -> str:
    """One line a rule."""
    width = max((len(rule.name) for rule in rules.all()), default=0)
    lines = (f"{rule.id}  {rule.name:<{width}}  {_title(rule)}" for rule in rules.all())
    return "\n".join(line if len(line) <= _WIDTH else line[:_WIDTH].rpartition(" ")[0] + " …" for line in lines)


def titles() -> Mapping[str, str]:
    """One line on each rule, by id."""
    return {rule.id: _title(rule) for rule in rules.all()}


def check_rules(chosen: tuple[str, ...], option: str) -> None:
    """Raise `UsageError` for a rule that is neither an id nor the beginning of one."""
    ids = [rule.id for rule in rules.all()]
    for name in chosen:
        if not any(known.startswith(name) for known in ids):
            near = difflib.get_close_matches(name.upper(), ids, n=3, cutoff=0.7)
            raise UsageError(f"{option} {name}: no rule begins like that; {_hint(near, 'see `tf-migrate rules`')}")


def _rule(rule: Rule) -> str:
    parts = [f"{rule.id} {rule.name}", rule.why]
    if rule.before:
        parts += ["Before:\n\n" + _indented(rule.before), "After:\n\n" + _indented(rule.after)]
    return "\n\n".join(part for part in parts if part)


def _fact(symbol: str, fact: Fact) -> str:
    # A row that speaks for a whole namespace does not know what its names are.
    kind = fact.kind if symbol in facts.symbols() else "symbol"
    lines = [f"{symbol} ({kind} of TensorFlow 1.15) {_fate(fact)}."]
    lines += [f"  {_edit(edit)}" for edit in fact.edits]
    if fact.tf1 != fact.tf2 and fact.tf1 and fact.tf2:
        lines += [f"  TensorFlow 1.15: ({', '.join(fact.tf1)})", f"  TensorFlow 2:    ({', '.join(fact.tf2)})"]
    if fact.reason:
        lines.append(textwrap.fill(f"Why: {fact.reason}", _WIDTH, subsequent_indent="  "))
    if fact.next_step:
        lines.append(textwrap.fill(f"Next: {fact.next_step}", _WIDTH, subsequent_indent="  "))
    return "\n".join(lines)


def _fate(fact: Fact) -> str:
    match fact.action:
        case "same":
            return "means the same in TensorFlow 2 and stays as it is"
        case "rename":
            return f"becomes {fact.target}, called the same way"
        case "call":
            moved = "stays" if fact.target == fact.symbol else f"becomes {fact.target}"
            return f"{moved}, called in another way"
        case "shim" if shims.installed().has(fact.target):
            return f"becomes {fact.target}, which computes what TensorFlow 1.15 computed"
        case "shim":
            return "has no equal in TensorFlow 2 and no shim in `compat`: it is left to a person"
        case "rule":
            return f"is rewritten by rule {fact.target} (tf-migrate explain {fact.target})"
        case _:
            return "is left to a person"


def _edit(edit: ArgumentEdit) -> str:
    if edit.old is None:
        return f"{edit.new}={edit.template} is added where the call gives none"
    if edit.new is None:
        return f"{edit.old} is dropped"
    value = f", its value as {edit.template.replace('{}', 'x')}" if edit.template != "{}" else ""
    return f"{edit.old} becomes {edit.new}{value}"


def _canonical(name: str) -> str:
    for long in ("tensorflow.compat.v1.", "tf.compat.v1.", "tensorflow."):
        # A private path has its row as it is written, `tensorflow.python.…`.
        if name.startswith(long) and facts.lookup(name) is None:
            return "tf." + name.removeprefix(long)
    return name


def _title(rule: Rule) -> str:
    first = rule.why.strip().partition("\n\n")[0].replace("\n", " ")
    return _CLAUSE_END.split(first, maxsplit=1)[0].rstrip(".")


def _hint(near: list[str], otherwise: str) -> str:
    return f"did you mean {' or '.join(near[:5])}?" if near else otherwise


def _indented(code: str) -> str:
    return textwrap.indent(textwrap.dedent(code).strip("\n"), "    ")
