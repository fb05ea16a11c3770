/** Changes outside of Pulumi: each property of each type on a separate record. */
import { records, type RecordKindName } from "../../../provider/registry";
import { digest } from "../../support/digest";
import { kindCases, recordKinds } from "../../support/kinds";
import { door } from "./drift";
import type { Fleet } from "./fleet";
import type { Stack } from "./stack";

type Values = Record<string, unknown>;

/** One property of one record, changed outside of Pulumi. */
export interface Meddling {
  kind: string;
  property: string;
  id: string;
  /** Properties that drift must name. */
  expected: string[];
  unseen: boolean;
}

/** Changes each property of each record type, except the account group, because a record cannot move. */
export async function meddleWithRecords(stack: Stack, fleet: Fleet): Promise<Meddling[]> {
  const meddled: Meddling[] = [];
  for (const kind of recordKinds) {
    const { collection, changes } = kindCases[kind];
    const free = new Set(kind === "label" ? fleet.labels : fleet.others[kind]);
    for (const [property, { from = {}, to, together }] of Object.entries(changes)) {
      if (property === "accountGroupId") continue;
      const values = withIds(to, fleet.labels) as Values;
      const id = await recordFor(stack, kind, collection, free, property, from, values);
      const only = records[kind];
      const viaDoor = only.createOnly.includes(property);
      await (viaDoor ? door(stack, collection, id, values) : stack.change(kind, id, values));
      const unseen = only.writeOnly.includes(property);
      meddled.push({ kind, property, id, expected: together ?? [property], unseen });
    }
  }
  return meddled;
}

/** Renames an agent, changes the license of another, and disables a third. */
export async function meddleWithAgents(stack: Stack, agents: readonly string[]): Promise<Meddling[]> {
  const [named = "", licensed = "", switched = ""] = agents;
  await stack.api("PATCH", `/v7/endpoint/agents/${named}`, { name: "renamed by hand" });
  const { licenseType } = (await (await stack.api("GET", `/v7/endpoint/agents/${licensed}`)).json()) as { licenseType: string };
  const other = licenseType === "advantage" ? "essentials" : "advantage";
  await stack.api("PATCH", `/v7/endpoint/agents/${licensed}`, { licenseType: other });
  await stack.api("POST", `/v7/endpoint/agents/${switched}/disable`);
  const changed = [
    [named, "agentName"],
    [licensed, "licenseType"],
    [switched, "enabled"],
  ] as const;
  return changed.map(([id, property]) => ({ kind: "endpointAgent", property, id, expected: [property], unseen: false }));
}

/** Replaces `{ $id: name }` with the id of a label, with a different label for each name. */
function withIds(value: unknown, labels: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withIds(item, labels));
  if (typeof value !== "object" || value === null) return value;
  if ("$id" in value) return labels[value.$id === "label-a" ? 10 : 11];
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withIds(member, labels)]));
}

/** Returns a record on which the change has an effect: it has the related properties, and another value. */
async function recordFor(
  stack: Stack,
  kind: RecordKindName,
  collection: string,
  free: Set<string>,
  property: string,
  from: Values,
  to: Values,
): Promise<string> {
  const needed = { agentSelectorType: from["agentSelectorType"] ?? "all-agents" };
  const withUser = ["authType", "username", "password"].includes(property);
  for (const id of free) {
    const stored = await stack.stored(collection, id);
    const fits = !("agentSelectorType" in stored) || stored["agentSelectorType"] === needed.agentSelectorType;
    const authenticates = !withUser || stored["authType"] === "basic";
    const differs = Object.entries(to).every(
      ([key, value]) => JSON.stringify(stored[key]) !== JSON.stringify(key === "password" ? digest(value) : value),
    );
    if (!fits || !authenticates || !differs) continue;
    free.delete(id);
    return id;
  }
  throw new Error(`no ${kind} to change ${property} of`);
}
