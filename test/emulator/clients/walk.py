"""Calls every operation of the official Python client, and prints a line of JSON for each.

Arguments: the base URL of the emulator, and a port on loopback that answers HTTP.
"""

import json
import sys
import time
import urllib.request
from datetime import datetime, timedelta, timezone
from enum import Enum

from pydantic import BaseModel
from thousandeyes_sdk.core import ApiClient, Configuration
from thousandeyes_sdk.core.exceptions import ApiException
from thousandeyes_sdk import alerts, streaming
from thousandeyes_sdk import endpoint_agents, endpoint_instant_tests, endpoint_labels, endpoint_test_results, endpoint_tests

base, port = sys.argv[1], int(sys.argv[2])
url = f"http://127.0.0.1:{port}/"
client = ApiClient(Configuration(host=f"{base}/v7", access_token="emulator-token"))
variants = ("_paginated", "_with_http_info", "_without_preload_content")


def operations_of(api):
    return [
        name
        for name in vars(type(api))
        if not name.startswith("_") and not name.endswith(variants) and callable(getattr(api, name))
    ]


packages = [endpoint_agents, endpoint_instant_tests, endpoint_labels, endpoint_test_results, endpoint_tests]
apis = [getattr(package, name)(client) for package in packages for name in dir(package) if name.endswith("Api")]
# Of alerts, the rules alone are known here.
apis += [alerts.AlertRulesApi(client), streaming.StreamingApi(client)]
api_of = {name: api for api in apis for name in operations_of(api)}


def unknown(value, sent, at="$"):
    """Members that the client's models lack, and values that their enumerations lack: those become UNKNOWN."""
    if isinstance(value, BaseModel):
        found = [f"{at}.{name}" for name in value.model_extra or {}]
        for name, field in type(value).model_fields.items():
            member = field.alias or name
            # The model of a union holds the one that fits in a member that is not on the wire.
            inner = sent.get(member, sent) if isinstance(sent, dict) else sent
            found += unknown(getattr(value, name), inner, f"{at}.{member}")
        return found
    if isinstance(value, list):
        return sorted({text for item, own in zip(value, sent) for text in unknown(item, own, f"{at}[]")})
    if isinstance(value, Enum) and value.name == "UNKNOWN" and value.value != sent:
        return [f"{at} is unknown"]
    return []


def plain(model):
    if isinstance(model, list):
        return [plain(item) for item in model]
    return model.model_dump(mode="json", by_alias=True, exclude_none=True) if isinstance(model, BaseModel) else model


def tell(**line):
    print(json.dumps(line), flush=True)


def ask(operation, /, show=True, **arguments):
    """Calls an operation; what the client makes of the answer."""
    answer = getattr(api_of[operation], f"{operation}_with_http_info")(**arguments)
    if show:
        tell(
            operation=operation,
            status=answer.status_code,
            model=None if answer.data is None else type(answer.data).__name__,
            parsed=plain(answer.data),
            unknown=unknown(answer.data, json.loads(answer.raw_data or "null")),
        )
    return answer.data


def pages(operation, expected, **arguments):
    """Goes through the pages of an operation, and reports how many different rows there were."""
    rows = [plain(row) for row in getattr(api_of[operation], f"{operation}_paginated")(**arguments)]
    different = {json.dumps(row, sort_keys=True) for row in rows}
    tell(pages=operation, rows=len(rows), different=len(different), expected=expected)


def control(path, body):
    request = urllib.request.Request(
        f"{base}/_emulator/{path}", json.dumps(body).encode(), {"content-type": "application/json"}, method="POST"
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def measured(operation, **arguments):
    """Asks until there are results: they are measured, not made up."""
    for _ in range(400):
        if (ask(operation, show=False, **arguments)).results:
            return ask(operation, **arguments).results
        time.sleep(0.05)
    raise SystemExit(f"{operation}: no results came")


def walk_labels():
    body = {"name": "Office", "matchType": "or", "filters": [{"key": "hostname", "values": ["*"], "mode": "in"}]}
    label = ask("create_endpoint_label", label_request=endpoint_labels.LabelRequest(**body))
    ask("get_endpoint_label", id=label.id, expand=["filters"])
    ask("get_endpoint_labels", expand=["filters"])
    ask("update_endpoint_label", id=label.id, label=endpoint_labels.Label(name="Renamed"))
    for name in ("Second", "Third"):
        request = endpoint_labels.LabelRequest(**{**body, "name": name})
        ask("create_endpoint_label", show=False, label_request=request)
    pages("get_endpoint_labels", 3, max=2, expand=["filters"])
    ask("delete_endpoint_label", id=label.id)


def walk_tests():
    """Creates, reads and changes a test of each kind; their ids."""
    kinds = [
        (
            "agent_to_server_endpoint_scheduled_test",
            {"endpoint_agent_to_server_test_request": {"testName": "T", "server": "127.0.0.1", "port": port, "protocol": "tcp"}},
            {"endpoint_network_test_update": {"testName": "Renamed", "port": port}},
        ),
        (
            "http_server_endpoint_scheduled_test",
            {"endpoint_http_server_test_request": {"testName": "H", "url": url}},
            {"endpoint_http_test_update": {"testName": "Renamed"}},
        ),
        (
            "agent_to_server_endpoint_dynamic_test",
            {"dynamic_test_request": {"testName": "D", "application": "webex"}},
            {"endpoint_dynamic_test_update": {"testName": "Renamed"}},
        ),
    ]
    ids = []
    for kind, create, update in kinds:
        test_id = ask(f"create_{kind}", **create).test_id
        ask(f"get_{kind}", test_id=test_id)
        ask(f"get_{kind}s")
        ask(f"update_{kind}", test_id=test_id, **update)
        ids.append((kind, test_id))
    ask("get_endpoint_scheduled_tests")
    return ids


def walk_references(test_id, label_id):
    """A rule and a stream that name a test and a label, until these are deleted."""
    body = {
        "ruleName": "Portal down",
        "expression": "((loss >= 5 %))",
        "alertType": "endpoint-network-server",
        "alertGroupType": "endpoint",
        "minimumSources": 1,
        "roundsViolatingOutOf": 3,
        "roundsViolatingRequired": 2,
        "severity": "major",
        "testIds": [test_id],
    }
    rule = ask("create_alert_rule", rule_detail_update=alerts.RuleDetailUpdate(**body))
    ask("get_alert_rule", rule_id=rule.rule_id)
    ask("get_alerts_rules")
    ask("update_alert_rule", rule_id=rule.rule_id, rule_detail_update=alerts.RuleDetailUpdate(**body))
    match = {"testMatch": [{"id": test_id, "domain": "endpoint"}], "endpointAgentLabel": [{"id": label_id}]}
    target = {"type": "opentelemetry", "signal": "metric", "endpointType": "http", "dataModelVersion": "v2"}
    where = {"name": "siem", "streamEndpointUrl": "https://collector.example.com", "customHeaders": {"x-key": "1"}}
    stream = ask("create_stream", stream=streaming.Stream(**match, **target, **where))
    ask("get_stream", id=stream.id)
    ask("get_streams")
    ask("update_stream", id=stream.id, put_stream=streaming.PutStream(enabled=False))
    ask("delete_stream", id=stream.id)
    ask("delete_alert_rule", rule_id=rule.rule_id)


def walk_instant_tests(scheduled):
    ask(
        "create_agent_to_server_scheduled_instant_test",
        endpoint_agent_to_server_instant_test={"testName": "I", "server": "127.0.0.1", "port": port},
    )
    ask("create_http_server_scheduled_instant_test", endpoint_http_server_instant_test={"testName": "I", "url": url})
    ask("run_endpoint_scheduled_instant_test", test_id=scheduled)


def walk_network_results(test_id):
    row = measured("filter_scheduled_test_network_results", test_id=test_id)[0]
    search = {"searchFilters": {"testId": [test_id]}}
    ask("filter_scheduled_tests_network_results", multi_test_id_endpoint_tests_data_rounds_search=search)
    ask("get_scheduled_test_path_vis_results", test_id=test_id)
    round_of = {"agent_id": row.agent_id, "round_id": str(row.round_id)}
    ask("get_scheduled_test_path_vis_agent_round_results", test_id=test_id, **round_of)


def walk_http_results(test_id):
    measured("get_http_server_scheduled_test_results", test_id=test_id, expand=["header"])
    ask("get_single_test_filtered_http_server_scheduled_test_results", test_id=test_id)
    search = {"searchFilters": {"testId": [test_id]}}
    ask("get_multi_test_filtered_http_server_scheduled_test_results", http_endpoint_tests_data_rounds_search=search)


def walk_dynamic_results(test_id):
    control("sessions", {"testId": test_id, "server": "127.0.0.1", "port": port})
    row = measured("filter_dynamic_test_network_results", test_id=test_id)[0]
    ask("get_dynamic_test_path_vis_results", test_id=test_id)
    round_of = {"agent_id": row.agent_id, "round_id": str(row.round_id)}
    ask("get_dynamic_test_path_vis_agent_round_results", test_id=test_id, **round_of)


def walk_local_networks():
    ask("get_local_networks_test_results")
    found = ask("filter_local_networks_test_results_topologies", window="1h").results
    topology = next(one.network_topology_id for one in found)
    ask("get_local_networks_test_results_topology", network_topology_id=topology)


def walk_real_user_results():
    timing = {"startTime": 0, "duration": 12, "responseStart": 5, "loadEventEnd": 12}
    visit = control("real-user-tests", {"url": url, "timing": timing, "resources": []})
    ask("get_endpoint_real_user_tests")
    ask("filter_real_user_tests_results", window="1h")
    ask("filter_real_user_tests_network_results", window="1h")
    ask("filter_real_user_tests_visited_pages_results", window="1h")
    ask("get_real_user_test_results", id=visit["id"])
    ask("get_real_user_test_page_results", id=visit["id"], page_id=visit["pageId"])


def walk_agents():
    fleet = ask("get_endpoint_agents", expand=["clients", "vpnProfiles", "networkInterfaceProfiles"]).agents
    agent, other, last = fleet[1].id, fleet[2].id, fleet[-1].id
    pages("get_endpoint_agents", len(fleet), max=4)
    search = endpoint_agents.AgentSearchRequest(**{"searchFilters": {"id": [agent]}})
    ask("filter_endpoint_agents", agent_search_request=search)
    ask("get_endpoint_agent", agent_id=agent, expand=["clients"])
    ask("update_endpoint_agent", agent_id=agent, endpoint_agent_update=endpoint_agents.EndpointAgentUpdate(name="Renamed"))
    ask("disable_endpoint_agent", agent_id=agent)
    ask("enable_endpoint_agent", agent_id=agent)
    ask("get_endpoint_agent_log_items", agent_id=agent)
    ask("get_endpoint_agents_connection_string")
    ask("transfer_endpoint_agent", agent_id=agent, agent_transfer_request={"toAid": "1002"})
    transfers = [{"agentId": other, "fromAid": "1001", "toAid": "1002"}]
    ask("transfer_endpoint_agents", bulk_agent_transfer_request={"transfers": transfers})
    ask("delete_endpoint_agent", agent_id=last)
    ask("get_endpoint_proxies")


def time_ranges(network, http, dynamic):
    """Asks for a day by dates, which the client writes with microseconds and the offset +0000."""
    now = datetime.now(timezone.utc)
    dates = {"start_date": now - timedelta(days=1), "end_date": now + timedelta(hours=1)}
    agent = ask("get_endpoint_agents", show=False).agents[0].id
    calls = [
        ("get_endpoint_agent_log_items", {"agent_id": agent}),
        ("filter_scheduled_test_network_results", {"test_id": network}),
        ("filter_scheduled_tests_network_results", {}),
        ("get_scheduled_test_path_vis_results", {"test_id": network}),
        ("get_http_server_scheduled_test_results", {"test_id": http}),
        ("get_single_test_filtered_http_server_scheduled_test_results", {"test_id": http}),
        ("get_multi_test_filtered_http_server_scheduled_test_results", {}),
        ("filter_dynamic_test_network_results", {"test_id": dynamic}),
        ("get_dynamic_test_path_vis_results", {"test_id": dynamic}),
        ("filter_local_networks_test_results_topologies", {}),
        ("filter_real_user_tests_results", {}),
        ("filter_real_user_tests_network_results", {}),
        ("filter_real_user_tests_visited_pages_results", {}),
    ]
    for operation, arguments in calls:
        try:
            answer = ask(operation, show=False, **arguments, **dates)
            rows = getattr(answer, "results", None) or getattr(answer, "endpoint_agent_log_items", None) or []
            tell(dates=operation, status=200, rows=len(rows))
        except ApiException as error:
            tell(dates=operation, status=error.status, rows=0)


def refusals():
    """What the client raises where the emulator refuses."""
    for operation, arguments in [
        ("get_endpoint_label", {"id": "1"}),
        ("create_endpoint_label", {"label_request": {"name": "", "matchType": "or", "filters": []}}),
        ("get_endpoint_labels", {"aid": "9"}),
        ("get_alert_rule", {"rule_id": "1"}),
        ("get_stream", {"id": "1"}),
    ]:
        try:
            ask(operation, show=False, **arguments)
            tell(refused=operation, raised=None)
        except ApiException as error:
            tell(refused=operation, raised=type(error).__name__, status=error.status, data=plain(error.data))


tell(operations=sorted(api_of))
walk_labels()
tests = walk_tests()
network, http, dynamic = [test_id for _, test_id in tests]
label = ask("get_endpoint_labels", show=False).labels[0].id
walk_references(network, label)
walk_instant_tests(network)
walk_network_results(network)
walk_http_results(http)
walk_dynamic_results(dynamic)
walk_local_networks()
walk_real_user_results()
time_ranges(network, http, dynamic)
refusals()
for kind, test_id in tests:
    ask(f"delete_{kind}", test_id=test_id)
walk_agents()
