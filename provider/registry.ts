import type { Kind } from "./kind";
import type { RecordKind } from "./record-kind";
import { agentTransfer } from "./resources/agent-transfer";
import { agentToServerInstantTest } from "./resources/agent-to-server-instant-test";
import { agentToServerTest } from "./resources/agent-to-server-test";
import { dynamicTest } from "./resources/dynamic-test";
import { endpointAgent } from "./resources/endpoint-agent";
import { endpointAgentTag } from "./resources/endpoint-agent-tag";
import { httpServerInstantTest } from "./resources/http-server-instant-test";
import { httpServerTest } from "./resources/http-server-test";
import { label } from "./resources/label";
import { testRun } from "./resources/test-run";

export const records = {
  label,
  endpointAgentTag,
  agentToServerTest,
  httpServerTest,
  dynamicTest,
} satisfies Record<string, RecordKind>;

/** All resource types, by the name of their provider. Commands and the documentation generator iterate over this registry. */
export const registry = {
  ...records,
  endpointAgent,
  agentTransfer,
  agentToServerInstantTest,
  httpServerInstantTest,
  testRun,
} satisfies Record<string, Kind>;

export type RecordKindName = keyof typeof records;
export type KindName = keyof typeof registry;

export function isKindName(name: string): name is KindName {
  return Object.hasOwn(registry, name);
}
