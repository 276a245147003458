import json
import urllib.request

import pytest


def capture(burrow, event, properties):
    """In place of posthog.capture() of an SDK, which takes the same host and key."""
    body = {"api_key": burrow.project_api_key, "event": event, "distinct_id": "ada", "properties": properties}
    urllib.request.urlopen(f"{burrow.host}/capture/", json.dumps(body).encode()).close()


def test_a_sign_up_is_captured_with_its_plan(burrow):
    capture(burrow, "signup", {"plan": "pro"})
    assert burrow.wait_for("signup", plan="pro")["distinct_id"] == "ada"


def test_a_failure_names_the_nearest_event(burrow):
    capture(burrow, "signup", {"plan": "free"})
    with pytest.raises(AssertionError, match='plan is "free", not "pro"'):
        burrow.wait_for("signup", timeout_ms=200, plan="pro")
