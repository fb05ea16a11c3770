import { z } from "zod";
import { licenseType } from "../../api";
import type { Failure, Kind } from "../kind";
import type { AgentChange } from "../reach";
import { type Properties, compact, stringOf } from "../values";
import { AgentBehaviour, defaultTransferTimeout } from "./agent-behaviour";

const lookup = z.strictObject({
  /** Name of the agent, exact. */
  agentName: z.string().min(1).optional(),
  /** Host name of the device, exact. */
  computerName: z.string().min(1).optional(),
  /** Serial number of the device, whole; upper and lower case are the same. */
  serialNumber: z.string().min(1).optional(),
  /** A user account on the device, whole; upper and lower case are the same. */
  user: z.string().min(1).optional(),
});

const inputs = z.strictObject({
  /** Identifier (UUID) of the agent to take hold of. This or `lookup`. Another one replaces: the old agent is only forgotten. */
  agentId: z.string().min(1).optional(),
  /**
   * What to find the agent by, in every account group you may see: exactly one must fit all that is given. Looked at when the
   * resource is created only.
   */
  lookup: lookup.optional(),
  /** Name of the agent. Left out, it is not managed. */
  agentName: z.string().min(1).optional(),
  /** Licence of the agent. Left out, it is not managed. */
  licenseType: licenseType.optional(),
  /** Whether the agent is enabled. Left out, it is not managed. */
  enabled: z.boolean().optional(),
  /**
   * Account group (`aid`) the agent is to be in. Another one transfers it and waits until it is there. Left out, it is not
   * managed: the stack's `endpoint-monitoring:accountGroupId` only says where to look for the agent first.
   */
  accountGroupId: z.string().min(1).optional(),
  /** Seconds a transfer may take. Default: 300. */
  transferTimeout: z.number().min(0).default(defaultTransferTimeout),
  /**
   * What becomes of the agent when the resource is destroyed, whichever account group it is in by then. A replacement forgets it,
   * whatever this says. Default: `forget`.
   */
  onDestroy: z.enum(["forget", "disable", "delete"]).default("forget"),
});

/** Outputs of an agent, beyond its inputs. What changes by itself (last seen, location, version) is not among them. */
export interface AgentOutputs {
  /** Identifier of the agent (UUID). */
  agentId: string;
  /** Host name of the device. */
  computerName?: string;
  /** Operating system family of the device. */
  platform?: string;
  /** Serial number of the device. */
  serialNumber?: string;
}

/** An agent that registered itself, taken hold of: its name, licence, state and account group. */
export const endpointAgent: Kind<typeof inputs, AgentOutputs> & { controls: readonly ("lookup" | "transferTimeout")[] } = {
  name: "EndpointAgent",
  noun: "agent",
  schema: inputs,
  nameProperty: "agentName",
  createOnly: ["agentId"],
  writeOnly: [],
  leftToService: ["agentId", "agentName", "licenseType", "enabled", "accountGroupId"],
  controls: ["lookup", "transferTimeout"],
  stateOnly: ["onDestroy"],
  takesDefaultAccountGroup: false,
  refersTo: {},
  origin: "found",
  reach: {
    means: "agents",
    changes: (id, properties) => changesOf(stringOf(properties["agentId"]) ?? id, properties),
    removal: (agentId, { onDestroy }) =>
      onDestroy === "disable" ? [{ agentId, enabled: false }] : onDestroy === "delete" ? [{ agentId, deleted: true }] : [],
  },
  replacementCost: "the old agent is only forgotten, and another one is taken hold of",
  same: {},
  rules(given, named): Failure[] {
    if (named("agentId") === named("lookup")) return [{ path: "", reason: "needs either agentId or lookup" }];
    const empty = given.lookup !== undefined && Object.values(given.lookup).every((value) => value === undefined);
    return empty ? [{ path: "lookup", reason: "must say at least one of agentName, computerName, serialNumber, user" }] : [];
  },
  behaviour: (session) => new AgentBehaviour(endpointAgent, session),
};

/** What an agent is changed to; nothing of one that is still to be found. */
function changesOf(agentId: string | undefined, { accountGroupId, licenseType: licence, enabled }: Properties): AgentChange[] {
  if (agentId === undefined) return [];
  const changes = { accountGroupId: stringOf(accountGroupId), licenseType: stringOf(licence) };
  return [{ agentId, ...compact(changes), ...(typeof enabled === "boolean" && { enabled }) }];
}
