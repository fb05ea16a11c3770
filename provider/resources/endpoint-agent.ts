import { z } from "zod";
import { agentIdShape, licenseType } from "../../api";
import { defineKind, type CheckFailure, type Kind } from "../kind";
import { property } from "../property";
import type { AgentChange } from "../reach";
import { type Properties, compact, stringOf } from "../values";
import { sameIds } from "../values";
import { defaultTransferTimeoutSeconds } from "./agent-transfer";

// `agent-handler.ts` is loaded on demand, because previews and checks of other resources do not need it.
const handlers = (): typeof import("./agent-handler") => require("./agent-handler") as typeof import("./agent-handler");

const text = z.string().min(1).optional();
const lookup = z.strictObject({ agentName: text, computerName: text, serialNumber: text, user: text });

const properties = {
  agentId: property(agentIdShape.optional(), { setOn: "create", leftToService: true, same: sameIds }),
  lookup: property(lookup.optional(), { role: "provider-option" }),
  agentName: property(text, { leftToService: true }),
  licenseType: property(licenseType.optional(), { leftToService: true }),
  enabled: property(z.boolean().optional(), { leftToService: true }),
  // A change to the account group transfers the agent, so the resource is not replaced.
  accountGroupId: property(text, { leftToService: true }),
  transferTimeout: property(z.number().min(0).default(defaultTransferTimeoutSeconds), { role: "provider-option" }),
  onDestroy: property(z.enum(["forget", "disable", "delete"]).default("forget"), { role: "local" }),
};

const outputs = {
  agentId: z.string(),
  computerName: z.string().optional(),
  platform: z.string().optional(),
  serialNumber: z.string().optional(),
};

/**
 * An agent that the program adopts. Agents register themselves, so a program only manages an agent's name, license, enabled state and
 * account group.
 */
export const endpointAgent: Kind<typeof properties, typeof outputs> = defineKind({
  name: "EndpointAgent",
  noun: "agent",
  properties,
  outputs,
  nameProperty: "agentName",
  takesDefaultAccountGroup: false,
  origin: "found",
  sampleId: "0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1",
  reach: {
    means: "agents",
    changes: (id, inputs) => changesOf(stringOf(inputs["agentId"]) ?? id, inputs),
    removal: (agentId, { onDestroy }) =>
      onDestroy === "disable" ? [{ agentId, enabled: false }] : onDestroy === "delete" ? [{ agentId, deleted: true }] : [],
  },
  replacementCost: "the old agent is only removed from state, and another agent is adopted",
  rules(inputs, isGiven): CheckFailure[] {
    if (isGiven("agentId") === isGiven("lookup")) return [{ path: "", reason: "requires either agentId or lookup" }];
    const empty = inputs.lookup !== undefined && Object.values(inputs.lookup).every((value) => value === undefined);
    return empty ? [{ path: "lookup", reason: "must have at least one of agentName, computerName, serialNumber, user" }] : [];
  },
  handler: (session) => new (handlers().AgentHandler)(endpointAgent, session),
});

/** Returns the changes that a resource makes to its agent, or an empty list if the id of the agent is unknown. */
function changesOf(agentId: string | undefined, { accountGroupId, licenseType: license, enabled }: Properties): AgentChange[] {
  if (agentId === undefined) return [];
  const changes = { accountGroupId: stringOf(accountGroupId), licenseType: stringOf(license) };
  return [{ agentId, ...compact(changes), ...(typeof enabled === "boolean" && { enabled }) }];
}
