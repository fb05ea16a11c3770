import * as pulumi from "@pulumi/pulumi";
import * as endpoint_monitoring from "pulumi-endpoint-monitoring-native";

const config = new pulumi.Config();
const probePassword = config.requireSecret("probePassword");
const office = new endpoint_monitoring.EndpointAgentTag("office", {
    key: "site",
    value: "office",
    matchType: endpoint_monitoring.LabelMatchType.Or,
    filters: [{
        key: "hostname",
        values: ["office-*"],
    }],
});
const gateway = new endpoint_monitoring.AgentToServerTest("gateway", {
    testName: "VPN gateway",
    server: "vpn.example.com",
    protocol: endpoint_monitoring.TestProtocol.Tcp,
    interval: 300,
    agentSelectorType: endpoint_monitoring.AgentToServerTestAgentSelectorType.AgentTags,
    tagIds: [office.id],
});
const portal = new endpoint_monitoring.HttpServerTest("portal", {
    testName: "Portal",
    url: "https://portal.example.com/health",
    authType: endpoint_monitoring.HttpServerTestAuthType.Basic,
    username: "probe",
    password: probePassword,
});
export const portalTestId = portal.testId;
