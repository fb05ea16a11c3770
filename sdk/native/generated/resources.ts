// `npm run generate` writes this file from the classes for dynamic resources.
import * as dynamic from "../../index";

// This line exports types only, because the classes below replace the exported classes of the same names.
export type * from "../../index";

/**
 * An agent-to-server instant test, which measures the network path from agents to a server once.
 *
 * The test runs when the resource is created, and runs again when `triggers` or the test's properties change. With `expect`, a
 * deployment succeeds only if measurements from users' devices meet your limits. If the measurements do not meet the limits in
 * `expect`, the update fails and lists the measurements. After a failed update, the next update runs the test again. A destroy
 * only removes the resource from the state, because the service cannot delete test runs.
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
 * An agent-to-server test, which measures the network path from agents to a server on a schedule.
 *
 * Properties with the note "A change replaces the test" cannot be changed in place. A replacement deletes the test with its
 * existing result history, and creates a new test with another id.
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
 * A bulk transfer of agents to other account groups. If some transfers fail, the update fails and reports the reason for each
 * agent. The next update repeats only the failed transfers. A refresh shows which agents have left their target account group
 * since the transfer. A destroy does not move agents back.
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
 * A dynamic test, which measures the network path from agents to the servers that an application's sessions use.
 *
 * Properties with the note "A change replaces the test" cannot be changed in place. A replacement deletes the test with its
 * existing result history, and creates a new test with another id.
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
 * An agent, which is software on a user's device that registers itself with the service. An EndpointAgent adopts an existing
 * agent and manages its declared properties: name, license, enabled state and account group.
 *
 * If an agent no longer exists, a refresh reports the agent as deleted. After an agent is deleted, the next update adopts an
 * agent only if `lookup` matches exactly one agent. A destroy only removes the resource from the state, unless `onDestroy` is
 * `disable` or `delete`.
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
 * A tag of endpoint agents, which groups agents with common attributes. A test with `agentSelectorType: "agent-tags"` selects
 * the agents of a tag by the tag's `id`. Tags are the successors of labels.
 *
 * The service uses a tag's filters to find the matching agents, but does not return the list of agents. Reviews and previews of
 * a tag report how many agents certainly match and how many agents possibly match. A match is uncertain if a filter uses
 * `location`, `proxy-target`, `vpn-target` or your own metadata. A match is also uncertain if a filter value has an
 * undocumented syntax, such as a wildcard or a network.
 *
 * To create or change a tag of endpoint agents, the token needs the permission "Edit tags". The token also needs all
 * permissions for viewing personal data of endpoint agents. The service does not document its response to a tag update. An
 * update sends the whole tag, and fails if the service's response differs from the declared tag.
 *
 * Changing `accountGroupId` deletes the tag and creates a new tag with another id. Replacing the tag also replaces the
 * resources that refer to the tag.
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
 * An HTTP server instant test, which makes agents request a URL once.
 *
 * The test runs when the resource is created, and runs again when `triggers` or the test's properties change. With `expect`, a
 * deployment succeeds only if measurements from users' devices meet your limits. If the measurements do not meet the limits in
 * `expect`, the update fails and lists the measurements. After a failed update, the next update runs the test again. A destroy
 * only removes the resource from the state, because the service cannot delete test runs.
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
 * An HTTP server test, which makes agents request a URL on a schedule.
 *
 * Properties with the note "A change replaces the test" cannot be changed in place. A replacement deletes the test with its
 * existing result history, and creates a new test with another id.
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
 * A label, which groups agents with common attributes. Tests select the agents of a label by the label's `id`.
 *
 * Changing `accountGroupId` deletes the label and creates a new label with another id. Replacing the label also replaces the
 * resources that refer to the label.
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
 * The test runs when the resource is created, and runs again when `triggers` or `testId` changes. With `expect`, a deployment
 * succeeds only if measurements from users' devices meet your limits. If the measurements do not meet the limits in `expect`,
 * the update fails and lists the measurements. After a failed update, the next update runs the test again. A destroy only
 * removes the resource from the state, because the service cannot delete test runs.
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
