import { accountGroupOperations } from "./account-groups";
import { agentToServerTestOperations } from "./agent-to-server-tests";
import { dynamicTestOperations } from "./dynamic-tests";
import { httpServerTestOperations } from "./http-server-tests";
import { labelOperations } from "./labels";
import type { Operation } from "./operation";
import { tokenOperations } from "./token";

/** Every operation this package knows, by area. The client is made from it, and the emulator answers it. */
export const operations = {
  token: tokenOperations,
  accountGroups: accountGroupOperations,
  labels: labelOperations,
  agentToServerTests: agentToServerTestOperations,
  httpServerTests: httpServerTestOperations,
  dynamicTests: dynamicTestOperations,
} satisfies Record<string, Record<string, Operation>>;

/** The same as a flat list. */
export const allOperations: readonly Operation[] = Object.values(operations).flatMap((area) => Object.values(area));
