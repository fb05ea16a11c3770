import type { AgentChange } from "../provider/reach";
import { isUnknown, type Properties, unknownValue } from "../provider/values";
import { replaceDeep } from "../engine/state";
import { secretMask } from "../common/text";
import type { Step } from "./model";

/** Returns the key of a resource after the update: its id, or the URN of a new resource. */
export function keyAfter({ op, state, urn, retained }: Step): string | undefined {
  if (op === "delete") return retained ? state?.id : undefined;
  return op === "create" || op === "replace" ? urn : state?.id;
}

/**
 * Returns properties with keys (see `keyAfter`) in place of unknown ids.
 *
 * @param byUrn the steps by URN
 */
export function withKeys({ kind, dependencies }: Step, properties: Properties, byUrn: ReadonlyMap<string, Step>): Properties {
  const replaced = Object.entries(kind.refersTo).flatMap(([property, kindName]): [string, unknown][] => {
    const value = properties[property];
    const sources = (dependencies[property] ?? []).flatMap((urn) => byUrn.get(urn) ?? []);
    const keys = sources.map((source) => (source.kindName === kindName ? idOrKey(source) : undefined));
    return value === undefined ? [] : [[property, filled(value, keys)]];
  });
  return { ...properties, ...Object.fromEntries(replaced) };
}

/**
 * Returns inputs with the known ids of resources, if these resources keep their ids.
 *
 * @param byUrn the steps by URN
 */
export function withKeptIds(step: Step, inputs: Properties, byUrn: ReadonlyMap<string, Step>): Properties {
  const resolved = withKeys(step, inputs, byUrn);
  const kept = Object.keys(step.kind.refersTo).map((property): [string, unknown] => {
    const [value, ids] = [inputs[property], resolved[property]];
    if (!Array.isArray(ids)) return [property, value];
    return [property, ids.map((id: unknown) => (byUrn.has(String(id)) ? unknownValue : id))];
  });
  return { ...inputs, ...Object.fromEntries(kept.filter(([, value]) => value !== undefined)) };
}

/**
 * Replaces the unknown items of a list with keys. If a list depends on more resources than it has unknown items, the list stays unchanged.
 */
function filled(value: unknown, keys: readonly (string | undefined)[]): unknown {
  // If the whole list is unknown, it may contain arbitrary items.
  if (keys.length === 0 || keys.includes(undefined) || !Array.isArray(value)) return value;
  const known = value.filter((id) => !isUnknown(id));
  const missing = keys.filter((key) => !known.includes(key));
  return missing.length > 0 && missing.length <= value.length - known.length ? [...known, ...missing] : value;
}

/** Agents have ids before a program adopts them. */
function idOrKey(step: Step): string | undefined {
  if (step.kind.reach?.means !== "agents" || step.op === "same" || step.op === "options" || step.op === "update")
    return keyAfter(step);
  return changesOf(step)[0]?.agentId;
}

export function changesOf({ kind: { reach }, op, state, declared, retained }: Step): AgentChange[] {
  if (reach?.means !== "agents" || op === "same" || op === "options") return [];
  if (op === "delete") return state && !retained ? reach.removal(state.id, state.outputs) : [];
  return declared ? reach.changes(op === "update" ? state?.id : undefined, opaque(declared.inputs)) : [];
}

export function opaque(properties: Properties): Properties {
  return replaceDeep(properties, (part) => (part === secretMask ? [unknownValue] : undefined)) as Properties;
}
