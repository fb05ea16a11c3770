using System.Collections.Generic;
using System.Linq;
using Pulumi;
using EndpointMonitoring = Pulumi.EndpointMonitoring;

return await Deployment.RunAsync(() => 
{
    var config = new Config();
    var probePassword = config.RequireSecret("probePassword");
    var office = new EndpointMonitoring.EndpointAgentTag("office", new()
    {
        Key = "site",
        Value = "office",
        MatchType = EndpointMonitoring.LabelMatchType.Or,
        Filters = new[]
        {
            new EndpointMonitoring.Inputs.EndpointAgentTagFilterArgs
            {
                Key = "hostname",
                Values = new[]
                {
                    "office-*",
                },
            },
        },
    });

    var gateway = new EndpointMonitoring.AgentToServerTest("gateway", new()
    {
        TestName = "VPN gateway",
        Server = "vpn.example.com",
        Protocol = EndpointMonitoring.TestProtocol.Tcp,
        Interval = 300,
        AgentSelectorType = EndpointMonitoring.AgentToServerTestAgentSelectorType.AgentTags,
        TagIds = new[]
        {
            office.Id,
        },
    });

    var portal = new EndpointMonitoring.HttpServerTest("portal", new()
    {
        TestName = "Portal",
        Url = "https://portal.example.com/health",
        AuthType = EndpointMonitoring.HttpServerTestAuthType.Basic,
        Username = "probe",
        Password = probePassword,
    });

    return new Dictionary<string, object?>
    {
        ["portalTestId"] = portal.TestId,
    };
});

