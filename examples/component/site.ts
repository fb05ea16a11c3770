import * as pulumi from "@pulumi/pulumi";
import { AgentToServerTest, HttpServerTest, Label } from "pulumi-endpoint-monitoring";

/** Arguments of {@link Site}. */
export interface SiteArgs {
  /** Networks of the site, such as `10.10.0.0/16`. */
  networks: pulumi.Input<string>[];
  /** Host name of the VPN gateway. */
  gateway: pulumi.Input<string>;
  /** URLs of the site's web pages. Keep the keys, because they are part of the test names. Default: none. */
  pages?: Record<string, pulumi.Input<string>>;
  /** Interval of the tests in seconds. Default: 300. */
  interval?: 60 | 120 | 300 | 600;
}

/** The monitoring of a site: a label for its agents, and tests of the gateway and of pages from these agents. */
export class Site extends pulumi.ComponentResource {
  /** Id of the label of the site's agents. */
  readonly labelId: pulumi.Output<string>;

  constructor(
    name: string,
    { networks, gateway, pages = {}, interval = 300 }: SiteArgs,
    opts?: pulumi.ComponentResourceOptions,
  ) {
    super("monitoring:index:Site", name, {}, opts);
    // The component's resources inherit its options, such as `protect`.
    const parent = { parent: this };
    const label = new Label(name, { name, matchType: "or", filters: [{ key: "local-network", values: networks }] }, parent);
    const shared = { interval, agentSelectorType: "agent-labels" as const, endpointAgentLabels: [label.id] };
    new AgentToServerTest(
      `${name}-gateway`,
      { testName: `${name}: gateway`, server: gateway, protocol: "tcp", ...shared },
      parent,
    );
    for (const [page, url] of Object.entries(pages)) {
      new HttpServerTest(`${name}-${page}`, { testName: `${name}: ${page}`, url, ...shared }, parent);
    }
    this.labelId = label.id;
    this.registerOutputs({ labelId: this.labelId });
  }
}
