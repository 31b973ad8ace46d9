"""The page in Chromium, wide and narrow, light and dark: it loads without a word, nothing overlaps, everything can be read."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from prsp.compare.report import html_report
from tests.compare.report.documents import SCRIPT, document
from tests.engines import require_command, require_package

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHECKS = (Path(__file__).parent / "checks.js").read_text(encoding="utf-8")
VIEWS = [(width, height, scheme, False) for width, height in ((1400, 900), (375, 800)) for scheme in ("light", "dark")]
VIEWS += [(1400, 900, "light", True), (375, 800, "dark", True)]


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    program = require_command("chromium", "apt-get install chromium")
    require_package("playwright", "pip install playwright")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Path]:
    folder = tmp_path_factory.mktemp("report")
    for nasty in (False, True):
        (folder / f"{nasty}.html").write_text(html_report(document(nasty=nasty)), encoding="utf-8")
    return {nasty: folder / f"{nasty}.html" for nasty in (False, True)}


@pytest.mark.parametrize(("width", "height", "scheme", "nasty"), VIEWS)
def test_the_page_can_be_read(
    browser: "Browser", pages: dict[bool, Path], tmp_path: Path, width: int, height: int, scheme: Any, nasty: bool
) -> None:
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: said.append(dialog.message))
    page.on("request", lambda request: asked.append(request.url))
    try:
        page.goto(pages[nasty].as_uri())
        folded = looked_at(page)
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        opened = looked_at(page)
        page.screenshot(path=tmp_path / f"{width}-{scheme}.png")
        assert page.locator("script").count() == 0
        if nasty:
            assert SCRIPT in page.locator("h1").inner_text()
            assert page.get_by_text(SCRIPT).first.is_visible()
    finally:
        page.close()
    assert said == []
    assert asked == [pages[nasty].as_uri()]
    for found in (folded, opened):
        assert found["overflow"] <= 0
        assert found["incomplete"] == []
        assert found["overlaps"] == []
        assert found["outside"] == []
        assert found["faint"] == []
        assert found["smallest"] >= (10 if width > 1000 else 8)
    assert opened["figures"] == 19
    assert opened["dark"] == (scheme == "dark")


def looked_at(page: "Page") -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(CHECKS)
    return found
