"""Labels and tests of the Endpoint Monitoring Service in Python, through the native plugin. README.md has the commands that run it."""

import pulumi
import pulumi_endpoint_monitoring as monitoring

config = pulumi.Config()

# A label stands for the agents that match its filters. Agents join and leave it by themselves.
office = monitoring.Label(
    "office",
    name="Office",
    color="#2266cc",
    match_type="or",
    filters=[
        {"key": "local-network", "values": ["10.20.0.0/16"]},
        {"key": "ssid", "values": ["corp-*"]},
    ],
)

# Tests run on the agents of the labels they name. The label comes first, as its id is known once it exists.
monitoring.AgentToServerTest(
    "gateway",
    test_name="VPN gateway",
    server="vpn.example.com",
    protocol="tcp",
    interval=300,
    agent_selector_type="agent-labels",
    endpoint_agent_labels=[office.id],
)

# A password is encrypted in the stack's state and shown nowhere.
portal = monitoring.HttpServerTest(
    "portal",
    test_name="Portal",
    url="https://portal.example.com/health",
    auth_type="basic",
    username="probe",
    password=config.require_secret("probePassword"),
)
monitoring.DynamicTest("meetings", test_name="Meetings", application="webex")

pulumi.export("portalTestId", portal.test_id)
pulumi.export("label", monitoring.get_label_output(id=office.id).result.name)
