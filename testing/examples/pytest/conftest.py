import json
import os
import subprocess
import urllib.parse
import urllib.request

import pytest


class Burrow:
    def __init__(self, ready):
        self.host = ready["url"]
        self.project_api_key = ready["projectApiKey"]
        self._key = ready["personalApiKey"]

    def call(self, method, path, body=None, **query):
        url = f"{self.host}/_test/{path}/?{urllib.parse.urlencode(query)}"
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method)) as answer:
            return json.load(answer)

    def wait_for(self, event, timeout_ms=5000, **properties):
        query = {"event": event, "properties": json.dumps(properties), "count": 1, "timeout_ms": timeout_ms}
        found = self.call("GET", "events", **query)
        near = [(one["event"]["event"], one["differences"]) for one in found["nearest"]]
        assert found["results"], f"no event {event} with {properties}; the nearest: {near}"
        return found["results"][0]

    def set_flag(self, key, value, distinct_id=None):
        self.call("POST", "flags", {"key": key, "value": value, "distinct_id": distinct_id})

    def reset(self):
        self.call("POST", "reset", {})


@pytest.fixture(scope="session")
def burrow_server():
    # It ends with this process, however that ends: then its standard input is closed.
    command = [os.environ.get("BURROW", "burrow"), "serve", "--ephemeral", "--port", "0", "--json", "--exit-with-stdin"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield Burrow(json.loads(process.stdout.readline()))
        process.stdin.close()


@pytest.fixture
def burrow(burrow_server):
    burrow_server.reset()
    return burrow_server
