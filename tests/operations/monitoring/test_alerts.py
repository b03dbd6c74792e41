"""The alerts and the dashboard of deploy/: they use metrics that there are, and lead to the guide."""

import json
import re
from typing import Any

import pytest
import yaml

from tests.docs.pages import OPERATORS, anchors
from tests.packages import ROOT

pytestmark = pytest.mark.once
RULES = ROOT / "deploy" / "prometheus-alerts.yml"
DASHBOARD = ROOT / "deploy" / "grafana-dashboard.json"
METRIC = r"\b(?:commerce|process)_\w+"
ALERTS: list[dict[str, Any]] = [
    rule for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]
]


def listed() -> set[str]:
    """The metrics of the guide's table."""
    return set(re.findall(rf"`({METRIC})`", (OPERATORS / "monitoring.md").read_text()))


def used(text: str) -> set[str]:
    return {re.sub(r"_(bucket|count|sum)$", "", each) for each in re.findall(METRIC, text)}


def test_the_dashboard_shows_all_metrics_of_the_guide() -> None:
    text = DASHBOARD.read_text()
    panels = json.loads(text)["panels"]
    assert all(panel["targets"] for panel in panels)
    assert used(text) == listed()
    assert sorted({panel["id"] for panel in panels}) == list(range(1, len(panels) + 1))


def test_alerts_use_metrics_of_the_guide() -> None:
    assert used(" ".join(alert["expr"] for alert in ALERTS)) <= listed()


def test_each_alert_has_a_severity_and_words() -> None:
    assert len({alert["alert"] for alert in ALERTS}) == len(ALERTS) > 10
    for alert in ALERTS:
        assert alert["labels"] == {"severity": alert["labels"]["severity"]}
        assert alert["labels"]["severity"] in ("critical", "warning")
        assert alert["annotations"].keys() == {"summary", "runbook_url"}
    severities = {alert["alert"]: alert["labels"]["severity"] for alert in ALERTS}
    assert severities["CommerceIsDown"] == severities["CommerceLedgerDisagrees"] == "critical"
    assert severities["CommerceTaskFailed"] == "warning"


@pytest.mark.parametrize("alert", ALERTS, ids=[alert["alert"] for alert in ALERTS])
def test_each_alert_leads_to_a_section_of_the_guide(alert: dict[str, Any]) -> None:
    page, _, anchor = alert["annotations"]["runbook_url"].partition("#")
    assert (ROOT / page).is_relative_to(OPERATORS)
    assert anchor in anchors((ROOT / page).read_text())


def test_the_guide_lists_each_alert_with_its_severity() -> None:
    rows = re.findall(r"^\| `(Commerce\w+)` \| (\w+) \|", (OPERATORS / "monitoring.md").read_text(), re.MULTILINE)
    assert rows == [(alert["alert"], alert["labels"]["severity"]) for alert in ALERTS]
