"""The results as JUnit XML: one suite a program and device, one case a name that was compared."""

from __future__ import annotations

from collections import defaultdict
from xml.etree import ElementTree as ET

from tf_migrate.parity.result import Comparison, Result


def render(results: tuple[Result, ...]) -> str:
    """XML text as continuous integration reads it."""
    root = ET.Element("testsuites", name="tf-migrate parity")
    for result in results:
        suite = ET.SubElement(root, "testsuite", name=f"{result.program} on {result.device}")
        if result.gpu is not None:
            ET.SubElement(ET.SubElement(suite, "properties"), "property", name="gpu", value=str(result.gpu))
        cases = [_verdict(suite, result), *_compared(suite, result)]
        failures = sum(case.find("failure") is not None for case in cases)
        suite.attrib.update(
            tests=str(len(cases)), failures=str(failures), errors="0", skipped="0", time=f"{sum(result.seconds):.3f}"
        )
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _verdict(suite: ET.Element, result: Result) -> ET.Element:
    case = ET.SubElement(suite, "testcase", classname=result.program, name="verdict", time="0")
    if not result.verdict.good:
        failure = ET.SubElement(case, "failure", message=result.verdict.message, type=result.verdict.kind)
        failure.text = "\n".join([result.verdict.message, *result.structure])
    return case


def _compared(suite: ET.Element, result: Result) -> list[ET.Element]:
    grouped: dict[tuple[str, str], list[Comparison]] = defaultdict(list)
    for item in result.comparisons:
        grouped[item.kind, item.name].append(item)
    cases = []
    for (kind, name), items in grouped.items():
        case = ET.SubElement(suite, "testcase", classname=f"{result.program}.{kind}", name=name, time="0")
        wrong = [item for item in items if item.problem is not None]
        if wrong:
            first = wrong[0]
            message = f"{first.problem} (largest difference {first.absolute:.3g}, {first.bound})"
            ET.SubElement(
                case, "failure", message=message, type="differs"
            ).text = f"{len(wrong)} of {len(items)} differ"
        cases.append(case)
    return cases
