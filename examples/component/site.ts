import * as pulumi from "@pulumi/pulumi";
import { AgentToServerTest, HttpServerTest, Label } from "pulumi-endpoint-monitoring";

/** Arguments of {@link Site}. */
export interface SiteArgs {
  /** Networks of the site, such as `10.10.0.0/16`. */
  networks: pulumi.Input<string>[];
  /** Host name of the VPN gateway. */
  gateway: pulumi.Input<string>;
  /** URLs of pages that people at the site work with. The key of each is part of its test's name, and stays. Default: none. */
  pages?: Record<string, pulumi.Input<string>>;
  /** Seconds between two rounds. Default: 300. */
  interval?: 60 | 120 | 300 | 600;
}

/** The monitoring of a site: a label for its agents, and tests from there of the gateway and of pages. */
export class Site extends pulumi.ComponentResource {
  /** Id of the label of the site's agents. */
  readonly labelId: pulumi.Output<string>;

  constructor(
    name: string,
    { networks, gateway, pages = {}, interval = 300 }: SiteArgs,
    opts?: pulumi.ComponentResourceOptions,
  ) {
    super("monitoring:index:Site", name, {}, opts);
    // The resources of the component get its options, such as `protect`, from their parent.
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
