"""Every use of a TensorFlow 1 symbol becomes exactly one change, by its row in the facts table or by a rule."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from tf_migrate import facts, rules
from tf_migrate.changes import keras2
from tf_migrate.changes.arguments import Uncertain, argument_edits
from tf_migrate.changes.edits import Edit
from tf_migrate.changes.lost_results import lost_result
from tf_migrate.facts import Fact
from tf_migrate.facts.shims import shim_path
from tf_migrate.names.canonical import Use
from tf_migrate.names.eras import exists_in_tf2, is_missing
from tf_migrate.names.homes import Home, home, public
from tf_migrate.names.origins import canonical
from tf_migrate.rules import Change, Context, SymbolRule

RENAMED, CALL, SHIMMED, MANUAL, PRIVATE = "TFM101", "TFM102", "TFM103", "TFM104", "TFM105"
_PACKAGES = ("tf", "tf.compat", "tf.compat.v1", "tf.compat.v2")
_NO_ROW = "look it up in TensorFlow 1.15's source and replace it by public API"


def changes(context: Context) -> Iterator[Change | None]:
    """One item for each use, in order of the text; None for a symbol that means the same in TensorFlow 2."""
    for use in context.names.uses:
        if context.module.is_skipped(use.root) or use.symbol in _PACKAGES:
            continue
        if use.symbol.startswith("tf.compat.v2."):
            yield _in_v2(context, use)
            continue
        if keras2.is_kept(context, use.symbol):
            yield keras2.change(context, use)
            continue
        yield _change(context, use)


def _decided(context: Context, use: Use) -> SymbolRule | None:
    """What a rule of its own does with a use, or None."""
    handler = rules.handlers().get(use.symbol)
    if handler is None or (handler.claims is not None and not handler.claims(context, use)):
        return None
    return handler.symbol


def _in_v2(context: Context, use: Use) -> Change | None:
    decided = _decided(context, use)
    if decided is not None:
        return decided(context, use, None)
    symbol = use.symbol.replace("tf.compat.v2.", "tf.", 1)
    owned = facts.owner(symbol)
    gone = is_missing(symbol) or (owned is not None and owned[0].kind != "module" and not exists_in_tf2(owned[0]))
    if not gone:
        return None
    return _kept(context, use, f"TensorFlow 2 has no `{use.symbol}`", f"see `tf-migrate explain {symbol}`")


def _change(context: Context, use: Use) -> Change | None:
    decided = _decided(context, use)
    if decided is not None:
        return decided(context, use, facts.lookup(use.symbol))
    owned = facts.owner(use.symbol)
    if owned is None or (owned[0].kind == "module" and owned[1]):
        return _without_row(context, use)
    fact, rest = public(owned[0]), owned[1]
    if context.tf2 and not use.explicit_v1 and exists_in_tf2(fact):
        return None
    node = _leading(use.node, rest)
    if node is None:
        return _behind_alias(context, use, fact)
    if not _is_written_out(context, use, node):
        return _hidden(context, use, fact)
    through = _through_alias(context, use, fact, owned[0].symbol)
    if through is not None:
        return through if through.finding is not None else None
    return _by_row(context, use, fact, node, use.call if not rest else None)


def _by_row(context: Context, use: Use, fact: Fact, node: ast.expr, call: ast.Call | None) -> Change | None:
    if fact.action == "rule":
        rule = rules.get(fact.target)
        if rule is not None and rule.symbol is not None:
            return rule.symbol(context, use, fact)
        return _manual(context, use, fact)
    if fact.action == "same":
        return _same(context, use, fact, node)
    if fact.kind == "module":
        return _module(context, use, fact, node)
    if fact.action == "rename":
        return _renamed(context, use, fact, node)
    if fact.action == "call":
        return _called(context, use, fact, node, call)
    if fact.action == "shim":
        return _shimmed(context, use, fact, node, fact.target)
    return _manual(context, use, fact)


def _same(context: Context, use: Use, fact: Fact, node: ast.expr) -> Change | None:
    if use.symbol.startswith("tensorflow.") and not _is_imported(context, use):
        path, _, name = use.symbol.rpartition(".")
        message = (
            f"TensorFlow 2 does not give its sources as attributes (`{use.symbol.replace('tensorflow', 'tf', 1)}`)"
        )
        return _kept(context, use, message, f"import it: `from {path} import {name}`", PRIVATE)
    spelled_v1 = use.explicit_v1 and use.origin == "tf"
    moved = use.origin not in ("tf", "tf.compat.v1") and _is_moved(context, use)
    if not (spelled_v1 or moved):
        return None
    return _renamed(context, use, fact, node)


def _is_imported(context: Context, use: Use) -> bool:
    """Whether a path into the sources is reached through an import of it, not as an attribute of the package."""
    if use.origin not in _PACKAGES:
        return True
    plain = (alias for node, _ in context.module.imports if isinstance(node, ast.Import) for alias in node.names)
    return any(f"{use.symbol}.".startswith(f"{alias.name}.") for alias in plain if alias.asname is None)


def _renamed(context: Context, use: Use, fact: Fact, node: ast.expr) -> Change:
    target = fact.target or fact.symbol
    shim = shim_path(fact.symbol)
    if _is_ambiguous(target) and context.shims.has(shim):
        return _shimmed(context, use, fact, node, shim)
    if fact.symbol.endswith("_v2") and not _is_same(target):
        target = f"tf.compat.v2.{target.removeprefix('tf.')}"  # the bare name would read as TensorFlow 1's
    edits, needs = _to_tensorflow(context, use, node, target)
    message = f"`{fact.symbol}` is `{target}` in TensorFlow 2"
    return Change(context.finding(use.root, RENAMED, message, symbol=use.symbol), edits, needs)


def _is_same(symbol: str) -> bool:
    fact = facts.lookup(symbol)
    return fact is not None and fact.action == "same"


def _is_ambiguous(target: str) -> bool:
    """Whether the new name meant something else in TensorFlow 1, so that a second run could not tell which is meant."""
    fact = facts.lookup(target)
    return fact is not None and fact.action != "same" and not (fact.action == "call" and fact.target == target)


def _called(context: Context, use: Use, fact: Fact, node: ast.expr, call: ast.Call | None) -> Change | None:
    if call is None and fact.stays_when_passed_on:
        return _same(context, use, fact, node)
    try:
        if call is None:
            raise Uncertain("it is passed on, not called here")
        if (why := lost_result(context.module, fact.symbol, call)) is not None:
            raise Uncertain(why)
        edits = argument_edits(context.module.source, call, fact)
    except Uncertain as reason:
        shim = shim_path(fact.symbol)
        if context.shims.has(shim):
            return _shimmed(context, use, fact, node, shim, f": {reason}")
        return _kept(
            context,
            use,
            f"`{fact.symbol}` takes other arguments in TensorFlow 2, and {reason}",
            f"write the arguments out for `{fact.target}` ({', '.join(fact.tf2)})",
        )
    renames, needs = _to_tensorflow(context, use, node, fact.target)
    if not (renames or edits):
        return None  # called in a way that both understand alike
    message = f"`{fact.symbol}` is called as `{fact.target}({', '.join(fact.tf2)})` in TensorFlow 2"
    finding = context.finding(use.root, CALL, message, symbol=use.symbol)
    return Change(finding, (*renames, *_with_roots(context, use, edits)), needs)


def _shimmed(context: Context, use: Use, fact: Fact, node: ast.expr, target: str, why: str = "") -> Change:
    if not context.shims.has(target):
        return _kept(
            context,
            use,
            f"{fact.reason or f'TensorFlow 2 has no `{fact.symbol}`.'} `compat` has no shim for it",
            fact.next_step or "replace it by hand",
        )
    edits = _chain(context, node, context.compat_path(target))
    message = f"`{fact.symbol}` is `{target}`{why}"
    finding = context.finding(use.root, SHIMMED, message, symbol=use.symbol, action="shimmed")
    return Change(finding, edits, frozenset({"compat"}))


def _module(context: Context, use: Use, fact: Fact, node: ast.expr) -> Change | None:
    where = home(context.shims, fact.symbol)
    if where is None:
        return _manual(context, use, fact)
    if where.place == "compat":
        return _shimmed(context, use, fact, node, where.path)
    return _renamed(context, use, fact, node)


def _manual(context: Context, use: Use, fact: Fact) -> Change:
    return _kept(
        context,
        use,
        fact.reason or f"TensorFlow 2 has nothing in place of `{fact.symbol}`",
        fact.next_step or "replace it by hand",
    )


def _kept(context: Context, use: Use, reason: str, next_step: str, rule: str = MANUAL) -> Change:
    """Left to a person, and spelled as TF 1 where the module's own root no longer means that."""
    finding = context.manual(use.root, rule, reason, next_step, use.symbol).finding
    if use.origin != "tf.compat.v1" or use.symbol == "tf":
        return Change(finding)
    end = context.module.source.end(use.root)
    return Change(finding, (Edit(end, end, ".compat.v1"),))


def _hidden(context: Context, use: Use, fact: Fact) -> Change | None:
    if fact.action == "same":
        return None
    return context.manual(
        use.root,
        MANUAL,
        f"`{fact.symbol}` stands where its text cannot be told (inside an f-string, or split by brackets)",
        "take it out of the string into a variable and run again",
        use.symbol,
    )


def _behind_alias(context: Context, use: Use, fact: Fact) -> Change | None:
    """A use of a name bound to part of a symbol (``LOSSES = tf.GraphKeys.LOSSES``): changed where it was bound."""
    if fact.action == "same":
        return None
    if fact.action == "manual" or (fact.action == "shim" and not context.shims.has(fact.target)):
        return _kept(
            context,
            use,
            fact.reason or f"TensorFlow 2 has nothing in place of `{fact.symbol}`",
            fact.next_step or "replace it by hand",
        )
    message = f"`{use.symbol}` is `{fact.target}`, through `{use.root.id}`"
    if fact.action == "shim":
        return Change(context.finding(use.root, SHIMMED, message, symbol=use.symbol, action="shimmed"))
    return Change(context.finding(use.root, RENAMED, message, symbol=use.symbol))


def _without_row(context: Context, use: Use) -> Change | None:
    symbol = use.symbol
    if symbol.startswith("tf."):
        parts = symbol.split(".")
        for length in range(len(parts), 1, -1):
            shim = shim_path(".".join(parts[:length]))
            if context.shims.has(shim) and (length == len(parts) or not context.shims.has_module(shim)):
                return _unlisted_shim(context, use, shim, ".".join(parts[length:]))
    if _is_assigned(context, symbol):
        for length in range(symbol.count("."), 1, -1):
            above = ".".join(symbol.split(".")[:length])
            fact = facts.lookup(above)
            lost = fact is not None and fact.kind == "module" and not exists_in_tf2(fact)
            if lost and context.shims.has_module(shim_path(above)):
                return _unlisted_shim(context, use, shim_path(above), symbol.removeprefix(f"{above}."))
    if symbol.startswith("tf.contrib"):
        return _kept(context, use, f"TensorFlow 2 has no `{symbol}`, and `compat` has no shim for it", _NO_ROW)
    if symbol.startswith("tensorflow.") and use.node is not use.root:
        return _kept(
            context, use, f"`{symbol}` is private to TensorFlow 1 and may be gone or changed", _NO_ROW, PRIVATE
        )
    if symbol.startswith("tf.") and is_missing(symbol) and not _is_assigned(context, symbol):
        return _kept(context, use, f"neither TensorFlow 1.15 nor TensorFlow 2 has `{symbol}`", _meant(symbol))
    return None


def _is_assigned(context: Context, symbol: str) -> bool:
    """Whether the module itself puts something there (``tf.model = …``)."""
    return any(f"{symbol}.".startswith(f"{assigned}.") for assigned in context.names.assigned)


def _meant(symbol: str) -> str:
    near = " or ".join(f"`{name}`" for name in facts.near(symbol, 2))
    return f"write what was meant: {near}" if near else "write what was meant"


def _unlisted_shim(context: Context, use: Use, shim: str, rest: str) -> Change | None:
    symbol = use.symbol.removesuffix(f".{rest}") if rest else use.symbol
    fact = Fact(symbol, "function", "shim", shim)
    node = _leading(use.node, rest)
    if node is None:
        return _behind_alias(context, use, fact)
    if not _is_written_out(context, use, node):
        change = _hidden(context, use, fact)
        assert change is not None
        return change
    return _through_alias(context, use, fact, symbol) or _shimmed(context, use, fact, node, shim)


def _through_alias(context: Context, use: Use, fact: Fact, symbol: str) -> Change | None:
    """The change for a use whose root is an import or alias that moves as a whole: nothing to edit here.

    None where the use has to be edited itself; a Change without a finding where it means the same as before.
    """
    root, symbol = canonical(use.origin), canonical(symbol)
    if root in _PACKAGES or _is_kept(context, use):
        return None
    where = home(context.shims, root)
    if where is None:
        return None
    alias = f"through `{use.root.id}`"
    if where.place == "compat":
        shim = where.path if root == symbol else shim_path(symbol)
        if not context.shims.has(shim):
            return None
        if fact.action == "same":
            return Change(None)
        message = f"`{fact.symbol}` is `{shim}`, {alias}"
        return Change(context.finding(use.root, SHIMMED, message, symbol=use.symbol, action="shimmed"))
    if root != symbol:
        return None
    if fact.action == "same":
        return Change(None)
    try:
        edits = argument_edits(context.module.source, use.call, fact) if use.call is not None else ()
        if use.call is None and fact.action == "call":
            raise Uncertain("it is passed on, not called here")
    except Uncertain as reason:
        return _kept(
            context,
            use,
            f"`{fact.symbol}` takes other arguments in TensorFlow 2, and {reason}",
            f"write the arguments out for `{fact.target}` ({', '.join(fact.tf2)})",
        )
    message = f"`{fact.symbol}` is `{fact.target}` in TensorFlow 2, {alias}"
    rule = CALL if fact.action == "call" else RENAMED
    return Change(context.finding(use.root, rule, message, symbol=use.symbol), _with_roots(context, use, edits))


def _is_kept(context: Context, use: Use) -> bool:
    """Whether the name is imported from a module that stays as it is in this run."""
    origin = context.names.raw_origin(use.root) or ""
    return origin.startswith("@") and origin[1:].partition("|")[0] in context.names.index.kept


def _is_moved(context: Context, use: Use) -> bool:
    where: Home | None = home(context.shims, canonical(use.origin))
    return where is None or where.place == "compat"


def _to_tensorflow(context: Context, use: Use, node: ast.expr, target: str) -> tuple[tuple[Edit, ...], frozenset[str]]:
    if target.startswith("tf."):
        text, needs = context.tf_path(use, target.removeprefix("tf."))
    else:
        text, needs = target, frozenset({target.partition(".")[0]})
    edits = _chain(context, node, text)
    return edits, needs if edits else frozenset()


def _with_roots(context: Context, use: Use, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """Argument templates speak of ``tf.``; the module may call it otherwise."""
    root = context.tf_path(use, "")[0]
    if root == "tf.":
        return edits
    return tuple(replace(edit, text=edit.text.replace("tf.", root)) for edit in edits)


def _chain(context: Context, node: ast.expr, text: str) -> tuple[Edit, ...]:
    start, end = context.module.source.span(node)
    return () if context.module.source.text[start:end] == text else (Edit(start, end, text),)


def _leading(node: ast.expr, rest: str) -> ast.expr | None:
    """The part of a dotted expression before the attributes ``rest``; None where an alias stands for some of these."""
    for _ in rest.split(".") if rest else ():
        if not isinstance(node, ast.Attribute):
            return None
        node = node.value
    return node


def _is_written_out(context: Context, use: Use, node: ast.expr) -> bool:
    """Whether the text at the node's position is the dotted name: positions inside f-strings may point elsewhere."""
    text = "".join(context.module.source.segment(node).split()).replace("\\", "")
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.insert(0, node.attr)
        node = node.value
    return text == ".".join([use.root.id, *names])
