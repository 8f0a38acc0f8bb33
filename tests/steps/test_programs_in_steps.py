"""Programs in the form of steps through the whole pipeline, by plans written by hand: all of a program, or nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from tests.steps.source_nodes import Nodes
from tf_migrate import pipeline, rules
from tf_migrate.files.discover import discover
from tf_migrate.names.canonical import Names
from tf_migrate.options import Options
from tf_migrate.report.as_json import as_data
from tf_migrate.report.model import Reason
from tf_migrate.steps.plan import DynamicRun, ModulePlan, ProgramPlan, Step, StepCall, Verdict
from tf_migrate.steps.planner import TreePlan

Plans = dict[str, ModulePlan]
Planner = Callable[[Plans], None]
LINE, MODEL = rules.get("TFM205"), rules.get("TFM206")
SCRIPT = """\
import tensorflow as tf
from line import Line

LINES = {"line": Line}  # which the old core does not look into
with tf.Session() as sess:
    line = LINES["line"](sess)
    sess.run(tf.global_variables_initializer())
    print(line.of([1.0]))
"""
SCRIPT_IN_STEPS = """\
import tensorflow as tf
import compat
from line import Line

LINES = {"line": Line}  # which the old core does not look into
with compat.VariableStore():
    line = LINES["line"]()
    print(line.of([1.0]))
"""


def plan_of_line(names: Names) -> ModulePlan:
    found, plan = Nodes(names.module), ModulePlan()
    builder = found.function("__init__")
    plan.builders.add(builder)
    plan.dropped_parameters.add(found.parameter("__init__", "sess"))
    plan.dropped.add(found.statement("self.sess ="))
    plan.steps.append(Step("self.y_step", "self.y", ("self.x",), (), builder.body[-1]))
    run = found.call("self.sess.run")
    plan.runs.append(StepCall(run, "self.y_step", (found.expression("values"),)))
    plan.verdicts.append(Verdict(run, "native", step="y_step"))
    return plan


def plan_of_model(names: Names) -> ModulePlan:
    found, plan = Nodes(names.module), ModulePlan()
    plan.builders.add(found.function("__init__"))
    plan.dropped_parameters.add(found.parameter("__init__", "sess"))
    plan.dropped.add(found.statement("self.sess ="))
    run = found.call("self.sess.run")
    plan.runs.append(DynamicRun(run, found.expression("fetches"), found.expression("feeds", 0)))
    reason = Reason(
        "fetches", names.module.path, 11, (), "`fetches` are known at run time alone", "fetch what is known"
    )
    plan.verdicts.append(Verdict(run, "dynamic", (reason,)))
    return plan


def plan_of_script(names: Names) -> ModulePlan:
    found, plan = Nodes(names.module), ModulePlan()
    item = found.block("with tf.Session()").items[0]
    assert item.optional_vars is not None
    plan.replaced[item.context_expr] = "compat.VariableStore()"
    plan.dropped_elements.add(item.optional_vars)
    call = found.call('LINES["line"](')
    plan.dropped_arguments.add(call.args[0])
    plan.dropped.add(found.statement("sess.run("))
    plan.verdicts.append(Verdict(found.call("sess.run("), "native"))
    return plan


PLANS = {"line": plan_of_line, "model": plan_of_model, "script": plan_of_script}


def as_planned(_: Plans) -> None:
    """The plans as they are."""


def migrated(
    tree: Path, change: Planner, monkeypatch: pytest.MonkeyPatch, ignore: tuple[str, ...] = (), **files: str
) -> pipeline.Outcome:
    """What becomes of a tree whose programs are planned by hand; `change` changes the plans."""

    def plan_tree(modules: Mapping[str, Names], options: Options) -> TreePlan:
        plans = {name: PLANS[name](names) for name, names in modules.items()}
        change(plans)
        reasons = {name: [why for verdict in plan.verdicts for why in verdict.reasons] for name, plan in plans.items()}
        if any(verdict.tier == "bridge" for plan in plans.values() for verdict in plan.verdicts):
            return TreePlan((), {name: tuple(found) for name, found in reasons.items()})
        return TreePlan((ProgramPlan(plans),), {})

    for name, text in files.items():
        (tree / f"{name}.py").write_text(text)
    monkeypatch.setattr(pipeline, "plan_tree", plan_tree)
    options = Options(paths=(tree,), root=tree, ignore=ignore)
    return pipeline.run(discover(options).code, options)


def texts(outcome: pipeline.Outcome) -> dict[str, str]:
    return {path: content.decode() for path, content in outcome.contents.items()}


@pytest.mark.parametrize(("rule", "name"), [(LINE, "line"), (MODEL, "model")])
def test_the_example_of_the_rule(rule: rules.Rule, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = migrated(tmp_path, as_planned, monkeypatch, **{name: rule.before})
    assert texts(outcome) == {f"{name}.py": rule.after}
    assert [site.rule for site in outcome.report.sites] == [rule.id]


def test_what_is_written_is_left_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert LINE is not None
    outcome = migrated(tmp_path, as_planned, monkeypatch, line=LINE.after, script=SCRIPT_IN_STEPS)
    assert texts(outcome) == {}
    assert outcome.report.sites == ()


@pytest.mark.parametrize("tier", ["native", "bridge"])
def test_a_script_that_only_calls_what_is_in_steps(tier: str, tmp_path: Path) -> None:
    assert LINE is not None
    (tmp_path / "line.py").write_text(LINE.after)
    (tmp_path / "scaled.py").write_text(
        "import compat\n\n\ndef scaled(x):\n    return compat.get_variable('s', []) * x\n"
    )
    calls = "import tensorflow as tf\nimport scaled\nfrom line import Line\n\nprint(Line().of([1.0]), tf.__version__)\n"
    (tmp_path / "main.py").write_text(calls)
    options = Options(paths=(tmp_path,), root=tmp_path, tier=tier)  # type: ignore[arg-type]
    assert texts(pipeline.run(discover(options).code, options)) == {}


def test_a_program_of_several_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert LINE is not None
    outcome = migrated(tmp_path, as_planned, monkeypatch, line=LINE.before, script=SCRIPT)
    assert texts(outcome) == {"line.py": LINE.after, "script.py": SCRIPT_IN_STEPS}
    told = [(site.path, site.line, site.tier, site.form, site.rule, site.function) for site in outcome.report.sites]
    assert told == [
        ("line.py", 12, "native", "steps", "TFM205", "y_step"),
        ("script.py", 7, "native", "steps", "TFM205", None),
    ]
    assert [site.initializer_only for site in outcome.report.sites] == [False, True]


def test_a_program_of_which_one_module_cannot_be_written_stays_on_the_bridge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def change(plans: Plans) -> None:
        plans["script"].dropped_arguments.clear()  # then `sess` is not known any more

    assert LINE is not None
    outcome = migrated(tmp_path, change, monkeypatch, line=LINE.before, script=SCRIPT)
    assert "with compat.Session() as sess:" in texts(outcome)["script.py"]
    assert "self.sess.run(self.y" in texts(outcome)["line.py"]
    assert [site.tier for site in outcome.report.sites] == ["bridge", "bridge"]
    for site in outcome.report.sites:
        assert site.reasons[-1].code == "unwritten"
        assert "`sess` would be needed where it is not known" in site.reasons[-1].message


@pytest.mark.parametrize(
    ("change", "path", "line", "message"),
    [
        (
            lambda plans: plans["line"].verdicts.clear(),
            "line.py",
            12,
            "the plan does not tell what becomes of this run",
        ),
        (lambda plans: plans["script"].replaced.clear(), "script.py", None, "`Session` would be left in the text"),
    ],
    ids=["a run of which it does not tell", "a session that would be left in the text"],
)
def test_what_a_plan_leaves_out(
    change: Planner, path: str, line: int | None, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert LINE is not None
    outcome = migrated(tmp_path, change, monkeypatch, line=LINE.before, script=SCRIPT)
    assert {site.tier for site in outcome.report.sites} == {"bridge"}
    reason = outcome.report.sites[0].reasons[-1]
    assert (reason.path, reason.line) == (path, line)
    assert message in reason.message


def test_a_run_that_nobody_knows_and_that_would_be_left_in_the_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert LINE is not None
    line = f"{LINE.before}\n    def first(self, table):\n        return table['y'].eval({{table['x']: [1.0]}})\n"
    outcome = migrated(tmp_path, as_planned, monkeypatch, line=line, script=SCRIPT)
    assert {site.tier for site in outcome.report.sites} == {"bridge"}
    message = "`table['y'].eval({table['x']: [1.0]})` would be left in the text"
    reason = outcome.report.sites[0].reasons[-1]
    assert message in reason.message
    assert (reason.path, reason.line) == ("line.py", line.count("\n"))


def test_lines_that_are_to_be_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert LINE is not None
    script = SCRIPT.replace("print(line.of([1.0]))", "print(line.of([1.0]))  # tf-migrate: skip")
    outcome = migrated(tmp_path, as_planned, monkeypatch, line=LINE.before, script=script)
    assert {site.tier for site in outcome.report.sites} == {"bridge"}
    assert "script.py: some lines are to be skipped" in outcome.report.sites[0].reasons[-1].message


def test_steps_are_a_rule_that_can_be_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert LINE is not None
    outcome = migrated(tmp_path, as_planned, monkeypatch, ("TFM205",), line=LINE.before, script=SCRIPT)
    assert {site.tier for site in outcome.report.sites} == {"bridge"}


def test_why_a_program_is_not_written_in_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def change(plans: Plans) -> None:
        why = Reason("rebound", "line.py", 3, ("self.y",), "`self.y` is bound again", "bind it once")
        plans["line"].verdicts[0] = replace(plans["line"].verdicts[0], tier="bridge", reasons=(why,))

    assert LINE is not None
    outcome = migrated(tmp_path, change, monkeypatch, line=LINE.before, script=SCRIPT)
    assert [site.tier for site in outcome.report.sites] == ["bridge", "bridge"]
    first, second = outcome.report.sites
    assert first.reasons[-1] == Reason("rebound", "line.py", 3, ("self.y",), "`self.y` is bound again", "bind it once")
    assert "rebound" not in [reason.code for reason in second.reasons]
    assert json.loads(json.dumps(as_data(outcome.report, "")))["sites"][0]["reasons"][-1]["code"] == "rebound"


def test_a_planner_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def change(plans: Plans) -> None:
        raise KeyError("x")

    assert LINE is not None
    outcome = migrated(tmp_path, change, monkeypatch, line=LINE.before, script=SCRIPT)
    assert [site.tier for site in outcome.report.sites] == ["bridge", "bridge"]
    assert "the planner failed (KeyError: 'x')" in outcome.report.sites[0].reasons[-1].message


def test_a_search_for_races_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bridge stands, and says what is not known of it."""

    def broken(modules: Mapping[str, Names], options: Options) -> None:
        raise KeyError("x")

    assert LINE is not None
    (tmp_path / "line.py").write_text(LINE.before)
    monkeypatch.setattr(pipeline, "races_of_tree", broken)
    options = Options(paths=(tmp_path,), root=tmp_path, tier="bridge")
    (site,) = pipeline.run(discover(options).code, options).report.sites
    (reason,) = site.reasons
    assert (site.tier, reason.path, reason.next_step) == ("bridge", "line.py", "please report it with the tree")
    assert reason.message.endswith("was not found out (KeyError: 'x')")


def test_the_bridge_never_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(modules: Mapping[str, Names], options: Options) -> TreePlan:
        raise AssertionError("asked")

    assert LINE is not None
    (tmp_path / "line.py").write_text(LINE.before)
    monkeypatch.setattr(pipeline, "plan_tree", asked)
    options = Options(paths=(tmp_path,), root=tmp_path, tier="bridge")
    report = pipeline.run(discover(options).code, options).report
    assert [(site.tier, site.reasons) for site in report.sites] == [("bridge", ())]
