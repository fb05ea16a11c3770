// `npm run generate` writes this file from the classes for dynamic resources.
import * as dynamic from "../../index";

// Types only: the exports below override the exports with the same names.
export type * from "../../index";

/**
 * An agent-to-server instant test: it measures the network path from agents to a server once.
 *
 * The test runs when the resource is created, and again when `triggers` or the properties of the test change. With `expect`, a
 * deployment can depend on measurements of users' devices. If they do not meet the limits, the update fails and lists them,
 * and the next update runs the test again. Destroying the resource only removes the run from state, since the service cannot
 * delete it.
 *
 * @example
 * ```ts
 * new AgentToServerInstantTest("gate", {
 *   testName: "Release gate",
 *   server: "api.example.com",
 *   triggers: [version],
 *   expect: { maxLoss: 5, maxLatency: 150 },
 * });
 * ```
 */
export class AgentToServerInstantTest extends dynamic.AgentToServerInstantTest {
  /** @internal */
  static override readonly isNative: boolean = true;
}

/**
 * An agent-to-server test: a scheduled test of the network path from agents to a server.
 *
 * Changing a property marked "Changing it replaces" deletes the test and creates a new one. The test gets a new id, and its
 * existing result history is lost.
 *
 * @example
 * ```ts
 * new AgentToServerTest("gateway", {
 *   testName: "Office to gateway",
 *   server: "vpn.example.com",
 *   protocol: "tcp",
 *   agentSelectorType: "agent-labels",
 *   endpointAgentLabels: [office.id],
 * });
 * ```
 */
export class AgentToServerTest extends dynamic.AgentToServerTest {
  /** @internal */
  static override readonly isNative: boolean = true;
}

/**
 * A bulk transfer of agents to other account groups. If some agents fail, the update fails with the reason for each, and the
 * next update transfers only those. A refresh shows agents that have moved away since. Destroying the resource does not move
 * any agent.
 *
 * @example
 * ```ts
 * new AgentTransfer("to-branches", {
 *   transfers: agentIds.map((agentId) => ({ agentId, fromAid: "1001", toAid: "1002" })),
 * });
 * ```
 */
export class AgentTransfer extends dynamic.AgentTransfer {
  /** @internal */
  static override readonly isNative: boolean = true;
}

/**
 * A dynamic test. It follows the sessions of an application to the servers that they reach.
 *
 * Changing a property marked "Changing it replaces" deletes the test and creates a new one. The test gets a new id, and its
 * existing result history is lost.
 *
 * @example
 * ```ts
 * new DynamicTest("meetings", { testName: "Meetings", application: "webex", interval: 300 });
 * ```
 */
export class DynamicTest extends dynamic.DynamicTest {
  /** @internal */
  static override readonly isNative: boolean = true;
}

/**
 * An agent: software on a user's device that registered itself. The resource adopts the agent, and then manages its name,
 * license, enabled state and account group, if the program declares them.
 *
 * A refresh shows an agent that no longer exists as deleted. The next update adopts an agent again only if the look-up matches
 * exactly one. Destroying the resource only removes it from state, unless `onDestroy` is `disable` or `delete`.
 *
 * @example
 * ```ts
 * new EndpointAgent("kiosk", {
 *   lookup: { computerName: "kiosk-01" },
 *   agentName: "Kiosk in the lobby",
 *   licenseType: "essentials",
 *   accountGroupId: "1002",
 * });
 * ```
 */
export class EndpointAgent extends dynamic.EndpointAgent {
  /** @internal */
  static override readonly isNative: boolean = true;
}

/**
 * A tag of endpoint agents: a group of agents that share attributes. Tests select agents by its `id`, with `agentSelectorType:
 * "agent-tags"`. Tags are the successor of labels.
 *
 * The service computes the agents of a tag from its filters and does not return them. So a review and a preview report how many
 * agents match for certain, and how many may match. The match is uncertain for filters by `location`, `proxy-target`,
 * `vpn-target` or your own metadata, and for values with an undocumented syntax, such as wildcards and networks.
 *
 * To create or change such a tag, the token needs the permission "Edit tags", and all permissions to view personal data of
 * endpoint agents. The service's answer to an update of such a tag was never recorded. So an update sends the whole tag and
 * compares the answer with it. The update fails if they differ.
 *
 * Changing a property marked "Changing it replaces" deletes the tag and creates a new one. The tag gets a new id, and resources
 * that refer to it are replaced as well.
 *
 * @example
 * ```ts
 * const emea = new EndpointAgentTag("emea", {
 *   key: "team",
 *   value: "emea",
 *   matchType: "or",
 *   filters: [{ key: "hostname", values: ["emea-*"] }],
 * });
 * ```
 */
export class EndpointAgentTag extends dynamic.EndpointAgentTag {
  /** @internal */
  static override readonly isNative: boolean = true;
}

/**
 * An HTTP server instant test: agents request a URL once.
 *
 * The test runs when the resource is created, and again when `triggers` or the properties of the test change. With `expect`, a
 * deployment can depend on measurements of users' devices. If they do not meet the limits, the update fails and lists them,
 * and the next update runs the test again. Destroying the resource only removes the run from state, since the service cannot
 * delete it.
 *
 * @example
 * ```ts
 * new HttpServerInstantTest("gate", {
 *   testName: "Release gate",
 *   url: "https://api.example.com/health",
 *   triggers: [version],
 *   waitForResults: { timeout: 300, minAgents: 3 },
 *   expect: { maxResponseTime: 800, minAvailability: 90 },
 * });
 * ```
 */
export class HttpServerInstantTest extends dynamic.HttpServerInstantTest {
  /** @internal */
  static override readonly isNative: boolean = true;
}

/**
 * An HTTP server test: agents request a URL of an HTTP server on a schedule.
 *
 * Changing a property marked "Changing it replaces" deletes the test and creates a new one. The test gets a new id, and its
 * existing result history is lost.
 *
 * @example
 * ```ts
 * new HttpServerTest("portal", {
 *   testName: "Portal",
 *   url: "https://portal.example.com/health",
 *   authType: "basic",
 *   username: "probe",
 *   password: config.requireSecret("probePassword"),
 * });
 * ```
 */
export class HttpServerTest extends dynamic.HttpServerTest {
  /** @internal */
  static override readonly isNative: boolean = true;
}

/**
 * A label: a group of agents that share attributes. Tests select agents by its `id`.
 *
 * Changing a property marked "Changing it replaces" deletes the label and creates a new one. The label gets a new id, and
 * resources that refer to it are replaced as well.
 *
 * @example
 * ```ts
 * const office = new Label("office", {
 *   name: "Office",
 *   matchType: "or",
 *   filters: [{ key: "hostname", values: ["office-*"] }],
 * });
 * ```
 */
export class Label extends dynamic.Label {
  /** @internal */
  static override readonly isNative: boolean = true;
}

/**
 * A run of an existing scheduled test.
 *
 * The test runs when the resource is created, and again when `triggers` or `testId` change. With `expect`, a deployment can
 * depend on measurements of users' devices. If they do not meet the limits, the update fails and lists them, and the next
 * update runs the test again. Destroying the resource only removes the run from state, since the service cannot delete it.
 *
 * @example
 * ```ts
 * new TestRun("after-deployment", { testId: portal.id, triggers: [version], expect: { minAvailability: 100 } });
 * ```
 */
export class TestRun extends dynamic.TestRun {
  /** @internal */
  static override readonly isNative: boolean = true;
}
