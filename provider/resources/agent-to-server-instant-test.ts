import { z } from "zod";
import { port } from "../../api";
import { sameHost, serverRules } from "./addresses";
import { instantInputs, instantKind } from "./instant-test";
import { runInputs } from "./measurements";

const inputs = z.strictObject({
  ...instantInputs,
  /** Target host name or IP address, without a port. */
  server: z.string().min(1),
  /** Target port, 1 to 65535. Default: 443. */
  port: port.default(443),
  ...runInputs,
});

/** A test of the network path to a server, run once when it is created, and whenever its triggers change. */
export const agentToServerInstantTest = instantKind({
  name: "AgentToServerInstantTest",
  noun: "agent-to-server instant test",
  schema: inputs,
  measures: () => ({ http: false, network: true }),
  writeOnly: [],
  leftToService: [],
  same: { server: sameHost },
  rules: serverRules,
  // The client checks the body member by member before it sends anything.
  start: (client, body, aid) => client.instantTests.agentToServer({ body: body as never, query: { aid } }),
});
