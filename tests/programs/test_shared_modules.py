"""Programs that share a module: native together where they agree on what becomes of it, else none of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native import test_modules
from tests.native.trees import printed, reasons, rewritten, tiers

LEARN = "import tensorflow as tf\n" + test_modules.USE
# It makes an object of another size, and only predicts.
PREDICT = """import tensorflow as tf
from model import Line

tf.logging.set_verbosity(tf.logging.ERROR)
line = Line(1)
print(["%.4f" % value for value in line.predict([[3.0], [4.0]])])
"""
# What TensorFlow 1.15.5 prints.
PREDICTED = "['3.0000', '4.0000']\n"
# A class whose runs stand in the scripts.
PLAIN = """import tensorflow as tf


class Scaled:
    def __init__(self, scale):
        self.x = tf.placeholder(tf.float32, [None])
        self.value = self.x * scale
        self.total = tf.reduce_sum(self.value)
"""
RUN = """import tensorflow as tf
from model import Scaled

scaled = Scaled(2.0)
with tf.Session() as sess:
    print(sess.run(scaled.{fetched}, {{scaled.x: [1.0, 2.0]}}))
"""


def _tree(**texts: str) -> dict[str, str]:
    return {f"{name}.py": text for name, text in {"model": test_modules.MODEL, **texts}.items()}


def test_scripts_that_use_the_same_methods(tmp_path: Path) -> None:
    texts = _tree(learn=LEARN, predict=PREDICT)
    outcome = rewritten(tmp_path, texts)
    assert tiers(outcome) == {"native"}, reasons(outcome)
    assert "open_graph" not in "".join((tmp_path / name).read_text() for name in texts)
    assert printed(tmp_path, "learn.py") == test_modules.PRINTED
    assert printed(tmp_path, "predict.py") == PREDICTED
    assert [site.path for site in outcome.report.sites].count("model.py") == 3


def test_what_was_rewritten_stays_as_it_is(tmp_path: Path) -> None:
    rewritten(tmp_path, _tree(learn=LEARN, predict=PREDICT))
    texts = {path.name: path.read_text() for path in tmp_path.glob("*.py")}
    assert not rewritten(tmp_path, texts).contents


def test_a_module_between_them(tmp_path: Path) -> None:
    between = "from model import Line\n\n\ndef rows(*values):\n    return [[value] for value in values]\n"
    use = PREDICT.replace("model import Line", "lines import Line, rows").replace("[[3.0], [4.0]]", "rows(3.0, 4.0)")
    outcome = rewritten(tmp_path, _tree(lines=between, learn=LEARN, predict=use))
    assert tiers(outcome) == {"native"}, reasons(outcome)
    assert printed(tmp_path, "predict.py") == PREDICTED


def test_scripts_that_run_the_same(tmp_path: Path) -> None:
    run = RUN.format(fetched="value")
    outcome = rewritten(tmp_path, _tree(model=PLAIN, one=run, two=run.replace("[1.0, 2.0]", "[3.0]")))
    assert tiers(outcome) == {"native"}, reasons(outcome)
    assert printed(tmp_path, "two.py") == "[6.]\n"


def test_a_name_that_one_of_the_programs_gives_another_meaning(tmp_path: Path) -> None:
    model = PLAIN + "\n\ndef helper():\n    return 1\n"
    run = RUN.format(fetched="value")
    outcome = rewritten(tmp_path, _tree(model=model, one=run, two=run + "helper = [1]\nprint(helper)\n"))
    assert tiers(outcome) == {"native"}, reasons(outcome)
    assert printed(tmp_path, "two.py") == "[2. 4.]\n[1]\n"


REFUSED = {
    "the scripts run different parts of the graph": (
        {"model": PLAIN, "one": RUN.format(fetched="value"), "two": RUN.format(fetched="total")},
        "`one.py` and `two.py` need different code in `model.py`",
    ),
    "one of the programs stays on the bridge": (
        {"learn": LEARN, "predict": PREDICT + "print(line.loss.op.name)\n"},
        "`.op` of a part of the graph is read (predict.py:7)",
    ),
    "one of the programs cannot be read as one module": (
        {
            "learn": LEARN,
            "predict": PREDICT.replace("from model import Line\n", "")
            .replace("line =", "from model import Line as L\nline =")
            .replace("Line(1)", "L(1)"),
        },
        "gives another name",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(tmp_path: Path, name: str) -> None:
    texts, reason = REFUSED[name]
    outcome = rewritten(tmp_path, _tree(**texts))
    assert tiers(outcome) == {"bridge"}
    assert any(reason in told for told in reasons(outcome)), reasons(outcome)
    assert all("do not become native together" in told for told in reasons(outcome)), reasons(outcome)
    assert "placeholder" in (tmp_path / "model.py").read_text()


def test_each_program_tells_its_own_reason(tmp_path: Path) -> None:
    run = RUN.format(fetched="value")
    one, two, three = run + "print(scaled.value.op.name)\n", run + "Scaled = None\n", run
    outcome = rewritten(tmp_path, _tree(model=PLAIN, one=one, two=two, three=three))
    told = {site.path: site.reason or "" for site in outcome.report.sites if not site.initializer_only}
    assert "`.op` of a part of the graph is read (one.py:7)" in told["one.py"]
    assert "`Scaled` means one thing in `model.py` and another in `two.py`" in told["two.py"]
    # It has none, but that it shares a module with the others.
    assert told["three.py"] == told["one.py"]


def test_refused_where_one_script_stays_as_it_is(tmp_path: Path) -> None:
    outcome = rewritten(tmp_path, _tree(learn=LEARN, predict=PREDICT), kept=("predict.py",))
    assert tiers(outcome) == {"bridge"}
    assert "placeholder" in (tmp_path / "model.py").read_text()


def test_a_program_of_its_own_beside_a_module_that_stays(tmp_path: Path) -> None:
    shared = PLAIN + "\n\nSIZE = 1\n"
    one = PREDICT.replace("import Line", "import Line\nfrom shared import SIZE").replace("Line(1)", "Line(SIZE)")
    two = RUN.format(fetched="value").replace("from model", "from shared") + "sess.close()\n" * 2
    two += "print(scaled.x.op.name)\n"
    outcome = rewritten(tmp_path, _tree(shared=shared, predict=one, other=two))
    assert {site.tier for site in outcome.report.sites if site.path in ("model.py", "predict.py")} == {"native"}
    assert {site.tier for site in outcome.report.sites if site.path == "other.py"} == {"bridge"}
    assert printed(tmp_path, "predict.py") == PREDICTED
