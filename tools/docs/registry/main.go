package main

import (
	"example.com/pulumi-endpoint-monitoring/sdk/go/endpointmonitoring"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")
		probePassword := cfg.RequireSecret("probePassword")
		office, err := endpointmonitoring.NewEndpointAgentTag(ctx, "office", &endpointmonitoring.EndpointAgentTagArgs{
			Key:       pulumi.String("site"),
			Value:     pulumi.String("office"),
			MatchType: pulumi.String(endpointmonitoring.LabelMatchTypeOr),
			Filters: endpointmonitoring.EndpointAgentTagFilterArray{
				&endpointmonitoring.EndpointAgentTagFilterArgs{
					Key: pulumi.String("hostname"),
					Values: pulumi.StringArray{
						pulumi.String("office-*"),
					},
				},
			},
		})
		if err != nil {
			return err
		}
		_, err = endpointmonitoring.NewAgentToServerTest(ctx, "gateway", &endpointmonitoring.AgentToServerTestArgs{
			TestName:          pulumi.String("VPN gateway"),
			Server:            pulumi.String("vpn.example.com"),
			Protocol:          pulumi.String(endpointmonitoring.TestProtocolTcp),
			Interval:          pulumi.Int(300),
			AgentSelectorType: pulumi.String(endpointmonitoring.AgentToServerTestAgentSelectorTypeAgentTags),
			TagIds: pulumi.StringArray{
				office.ID().ToIDOutput().ToStringOutput(),
			},
		})
		if err != nil {
			return err
		}
		portal, err := endpointmonitoring.NewHttpServerTest(ctx, "portal", &endpointmonitoring.HttpServerTestArgs{
			TestName: pulumi.String("Portal"),
			Url:      pulumi.String("https://portal.example.com/health"),
			AuthType: pulumi.String(endpointmonitoring.HttpServerTestAuthTypeBasic),
			Username: pulumi.String("probe"),
			Password: probePassword,
		})
		if err != nil {
			return err
		}
		ctx.Export("portalTestId", portal.TestId)
		return nil
	})
}
