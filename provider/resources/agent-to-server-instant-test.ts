import { serverRules } from "./addresses";
import { serverProperties } from "./agent-to-server-test";
import { instantKind } from "./instant-test";

/** A test of the network path to a server. The test runs when the resource is created, and when its triggers change. */
export const agentToServerInstantTest = instantKind({
  name: "AgentToServerInstantTest",
  noun: "agent-to-server instant test",
  properties: serverProperties,
  measures: () => ({ http: false, network: true }),
  rules: serverRules,
  // The type assertion is safe, because the API client validates every member of the body.
  start: (client, body, aid) => client.instantTests.agentToServer({ body: body as never, query: { aid } }),
});
