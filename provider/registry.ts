import type { Kind } from "./kind";
import { agentToServerTest } from "./resources/agent-to-server-test";
import { dynamicTest } from "./resources/dynamic-test";
import { httpServerTest } from "./resources/http-server-test";
import { label } from "./resources/label";

/** Every kind, by the name under which the provider exports it. Import, review, drift, docs and the parity test walk it. */
export const registry = {
  label,
  agentToServerTest,
  httpServerTest,
  dynamicTest,
} satisfies Record<string, Kind>;

export type KindName = keyof typeof registry;
