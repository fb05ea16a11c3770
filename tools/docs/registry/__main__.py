import pulumi
import pulumi_endpoint_monitoring as endpoint_monitoring

config = pulumi.Config()
probe_password = config.require_secret("probePassword")
office = endpoint_monitoring.EndpointAgentTag("office",
    key="site",
    value="office",
    match_type=endpoint_monitoring.LabelMatchType.OR_,
    filters=[{
        "key": "hostname",
        "values": ["office-*"],
    }])
gateway = endpoint_monitoring.AgentToServerTest("gateway",
    test_name="VPN gateway",
    server="vpn.example.com",
    protocol=endpoint_monitoring.TestProtocol.TCP,
    interval=300,
    agent_selector_type=endpoint_monitoring.AgentToServerTestAgentSelectorType.AGENT_TAGS,
    tag_ids=[office.id])
portal = endpoint_monitoring.HttpServerTest("portal",
    test_name="Portal",
    url="https://portal.example.com/health",
    auth_type=endpoint_monitoring.HttpServerTestAuthType.BASIC,
    username="probe",
    password=probe_password)
pulumi.export("portalTestId", portal.test_id)
