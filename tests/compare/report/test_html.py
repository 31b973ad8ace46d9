"""The page as text: whole, escaped, small."""

import re
from html.parser import HTMLParser

from prsp.compare.report import html_report
from tests.compare.report.documents import NASTY, SCRIPT, document


class Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.texts: list[str] = []
        self.addresses: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src", "srcset", "action", "data")]
        assert not any(name.startswith("on") for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_what_streams_and_engines_say_stays_text() -> None:
    page = Tags(html_report(document(nasty=True)))
    assert not page.tags & {"script", "iframe", "object", "embed", "img", "link", "base", "form"}
    assert all(address.startswith("#") for address in page.addresses)
    text = "".join(page.texts)
    shown = NASTY.replace("\x00", "�").replace("\x1b", "�")
    for place in ("urn:s", "no answer within 5 s", "?v }", "mode=delta", "an x86_64 of 2 cores", "spectra has no OPTIONAL"):
        assert f"{place} {shown}" in text
    assert f"roqet {SCRIPT}&\"'" in text


def test_the_page_is_whole() -> None:
    text = "".join(Tags(html_report(document())).texts)
    for said in (
        "3 of 6 engines answered every window as the reference does. 1 answered some differently, 1 failed on some, 1 was not asked all.",
        "prsp compare tumbling.rq", "an x86_64 of 2 cores", "3.11.9", "prsp;t0=0", "REGISTER QUERY average AS", "GRAPH <urn:w>",
        "prsp bundle run window-1483850245000 --backend roqet", "not asked: spectra has no OPTIONAL", "timeout=5", "1,129 / 1,313 / 1,463",
    ):  # fmt: skip
        assert said in text


def test_of_many_disagreements_the_first_are_told_from_every_experiment() -> None:
    page = html_report(document(windows=60))
    text = "".join(Tags(page).texts)
    assert "20 of 60 disagreements and failures are told here, 40 more are in the CSV and the JSON." in text
    assert text.count("prsp bundle run window") == 40
    assert len(re.findall(r"<h4>Different: tumbling, 10 sensors", page)) == 4


def test_without_a_disagreement_the_page_says_so() -> None:
    text = "".join(Tags(html_report(document(engines=1))).texts)
    assert "Every engine answered every window as the reference does." in text
    assert "No engine failed or disagreed on any window." in text


def test_windows_that_nobody_checked_are_not_judged() -> None:
    made = document(loads=0, engines=1)
    for window in made["experiments"][0]["results"][0]["windows"]:
        window["check"] = None
    text = "".join(Tags(html_report(made)).texts)
    assert "0 of 1 engines answered every window as the reference does. 1 cannot be judged on some." in text
    assert "Nor are windows on which the reference itself failed." in text


def test_six_engines_ten_experiments_and_a_thousand_windows_are_under_three_megabytes() -> None:
    page = html_report(document(loads=9, windows=1000, repeat=1))
    assert len(page.encode()) < 3_000_000
    assert "one in 5 is shown" in page
    assert "every 3rd window is shown" in page
