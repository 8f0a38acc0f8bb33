"""The HTML page: sound by itself, and used by keyboard and mouse in a real browser."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tf_migrate.parity.reports import page
from tf_migrate.parity.result import Bisection, Comparison, Place, Result, Verdict

_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_VOID = {"meta", "input", "br", "line", "rect", "polyline", "circle", "path"}


def _comparison(kind: Any, name: str, step: int | None, far: float) -> Comparison:
    problem = "1 of 4 values beyond the tolerance" if far > 1e-3 else None
    return Comparison(kind, name, step, 4, far, far, 2.0, (1, 2), "rtol 1.3e-06, atol 1e-05", problem)


def _results() -> tuple[Result, ...]:
    runs = [_comparison("run", "train.py:9 <train_step>", step, 10.0 ** (step - 6)) for step in range(5)]
    finals = [_comparison("final value", f"layer/w_{number}", None, 0.0) for number in range(20)]
    place = Place(
        "train.py:9", "train.py", 9, "train_step", "native", "> 9 sess.run(a < b)", "> 12 train_step()", 5, 5, runs[-1]
    )
    found = Bisection("Mean:0", "Mean", "train.py:4", "train.py:7", 0.5, 12, True, "Mean became Sum", 4)
    losses = {"train.py:9": tuple((step, 1.0 / (step + 1), 1.1 / (step + 1)) for step in range(5))}
    wrong = Verdict("differs", "the run of train.py:9 is the first to differ", "look at what it is computed from")
    bad = Result(
        "train.py", "cpu", "TensorFlow 1.15.5", wrong, {"native": 1}, (), (*runs, *finals), (place,), losses, ("note",),
        bisection=found,
    )  # fmt: skip
    good = Result("eval.py", "cpu", "TensorFlow 1.15.5", Verdict("parity", "80 values agree"), {}, (), tuple(finals))
    return bad, good


class _Checker(HTMLParser):
    """Notes ids, links and elements that are not closed in their order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.ids: list[str] = []
        self.references: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        named = dict(attributes)
        self.ids += [named["id"] or ""] if "id" in named else []
        words = ("href", "aria-labelledby", "data-table", "data-failures", "data-count")
        self.references += [(named[word] or "").removeprefix("#") for word in words if word in named]
        self.wrong += [f"<{tag} {word}>" for word in ("src", "srcset", "onclick", "style") if word in named]
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """An element that closes itself."""

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID and (not self.open or self.open.pop() != tag):
            self.wrong.append(f"</{tag}>")


def test_the_page_is_sound_and_needs_nothing_else() -> None:
    text = page.render(_results())
    checker = _Checker()
    checker.feed(text)
    checker.close()
    assert not checker.wrong and not checker.open
    assert len(set(checker.ids)) == len(checker.ids) and set(checker.references) <= set(checker.ids)
    assert not re.search(r"https?://|@import|url\(|<link|<iframe", text.replace("http://www.w3.org/2000/svg", ""))
    assert "&lt;train_step&gt;" in text and "<train_step>" not in text
    assert "Mean became Sum" in text and text.count("<svg") >= 3


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, driven as a person would; skips where the machine has none."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="needs selenium: pip install 'tf-migrate[dev]'")
    found = next(filter(None, map(shutil.which, _BROWSERS)), None)
    driver = shutil.which("chromedriver")
    if found is None or driver is None:
        pytest.skip("needs Chromium and its driver: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = found
    for word in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", "no-first-run", "disable-sync"):
        options.add_argument(f"--{word}")
    options.add_argument("--disable-background-networking")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(executable_path=driver)
    opened = webdriver.Chrome(options=options, service=service)
    yield opened
    opened.quit()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Any:
    """The page in the browser."""
    file = tmp_path / "parity.html"
    file.write_text(page.render(_results()), encoding="utf-8")
    browser.get(file.as_uri())
    yield browser
    assert not browser.get_log("browser"), "the page logs errors"


def _shown(browser: Any) -> str:
    return str(browser.find_element("css selector", '[data-count="table0"]').text)


def test_search_and_filter(opened: Any) -> None:
    search = opened.find_element("css selector", '[data-table="table0"]')
    assert _shown(opened) == "25 of 25"
    search.send_keys("LAYER w_1")
    assert _shown(opened) == "11 of 25"
    rows = opened.find_elements("css selector", "#table0 tbody tr")
    assert sum(row.is_displayed() for row in rows) == 11
    search.clear()
    search.send_keys(" ")
    opened.find_element("css selector", '[data-failures="table0"]').click()
    assert _shown(opened) == "1 of 25"
    assert all(row.get_attribute("class") == "bad" for row in rows if row.is_displayed())


def test_everything_is_reached_by_keyboard(opened: Any) -> None:
    from selenium.webdriver import ActionChains, Keys

    reached = set()
    for _ in range(20):
        ActionChains(opened).send_keys(Keys.TAB).perform()
        active = opened.switch_to.active_element
        reached.add((active.tag_name, active.get_attribute("type") or active.get_attribute("class") or ""))
    assert {("button", "button"), ("input", "search"), ("input", "checkbox"), ("div", "scroll")} <= reached
    assert {"a", "summary"} <= {tag for tag, _ in reached}
    site = opened.find_element("css selector", "details.site")
    assert site.get_attribute("open") == "true"  # it differs
    opened.execute_script("arguments[0].querySelector('summary').focus()", site)
    ActionChains(opened).send_keys(Keys.ENTER).perform()
    assert site.get_attribute("open") is None
    ActionChains(opened).send_keys(Keys.SPACE).perform()
    assert [item.text for item in site.find_elements("tag name", "mark")] == [
        "> 9 sess.run(a < b)",
        "> 12 train_step()",
    ]


def test_light_and_dark(opened: Any) -> None:
    def background() -> str:
        return str(opened.execute_script("return getComputedStyle(document.body).backgroundColor"))

    button = opened.find_element("id", "theme")
    before = background()
    button.click()
    assert background() != before and button.get_attribute("aria-pressed") in ("true", "false")
    button.click()
    assert background() == before
    emulated = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    opened.execute_cdp_cmd("Emulation.setEmulatedMedia", emulated)
    opened.refresh()
    assert opened.find_element("id", "theme").get_attribute("aria-pressed") == "true"
    opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_the_overview_leads_to_each_program(opened: Any) -> None:
    opened.find_element("link text", "eval.py").click()
    assert opened.current_url.endswith("#result1")
    assert opened.find_element("css selector", "#result1 .badge").text.lower() == "parity"


def test_a_narrow_window(opened: Any) -> None:
    size = opened.get_window_size()
    opened.set_window_size(500, 900)
    try:
        wide, window = opened.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
        assert wide <= window
    finally:
        opened.set_window_size(size["width"], size["height"])


def test_the_losses_that_differ_are_shown_first() -> None:
    losses = {f"train.py:{line}": ((0, 1.0, 1.0), (1, 0.5, 0.5)) for line in range(20)}
    wrong = _comparison("run", "train.py:17", 1, 1.0)
    verdict = Verdict("differs", "the run of train.py:17 is the first to differ")
    text = page.render((Result("train.py", "cpu", "TensorFlow 1.15.5", verdict, {}, (), (wrong,), (), losses),))
    assert text.index("train.py:17: both programs") < text.index("train.py:0: both programs")
