"""Labels and tests of the Endpoint Monitoring Service in Python, through the native plugin. README.md has the commands to run it."""

import pulumi
import pulumi_endpoint_monitoring as monitoring

config = pulumi.Config()

# A label selects the agents that match its filters. Agents join and leave a label automatically.
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

# A test runs on the agents of its labels. Pulumi creates the label first, because the test uses its id.
monitoring.AgentToServerTest(
    "gateway",
    test_name="VPN gateway",
    server="vpn.example.com",
    protocol="tcp",
    interval=300,
    agent_selector_type="agent-labels",
    endpoint_agent_labels=[office.id],
)

# The stack's state contains the password in encrypted form.
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
