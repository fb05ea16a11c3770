import type { AgentChange } from "../../provider/reach";
import { isUnknown, type Properties, unknownValue } from "../../provider/values";
import { replaceDeep, secretMask } from "../engine/state";
import type { Step } from "./operation";

/** Key of a resource afterwards: the id it keeps, or its URN until it has one; nothing of one that the service deletes. */
export function keyAfter({ op, state, urn, retained }: Step): string | undefined {
  if (op === "delete") return retained ? state?.id : undefined;
  return op === "create" || op === "replace" ? urn : state?.id;
}

/** Stand-ins for the ids of resources that do not exist yet. */
export class StandIns {
  readonly #byUrn: ReadonlyMap<string, { kindName: string; key: string | undefined }>;

  constructor(planned: readonly Step[]) {
    const living = planned.filter(({ op }) => op !== "delete");
    this.#byUrn = new Map(living.map((one) => [one.urn, { kindName: one.kindName, key: idOrStandIn(one) }]));
  }

  /** Properties with keys in place of ids that are not known yet. */
  resolved({ kind, dependencies }: Step, properties: Properties): Properties {
    const replaced = Object.entries(kind.refersTo).flatMap(([property, kindName]): [string, unknown][] => {
      const value = properties[property];
      const sources = (dependencies[property] ?? []).flatMap((urn) => this.#byUrn.get(urn) ?? []);
      const keys = sources.map((source) => (source.kindName === kindName ? source.key : undefined));
      return value === undefined ? [] : [[property, this.#put(value, keys)]];
    });
    return { ...properties, ...Object.fromEntries(replaced) };
  }

  /** Inputs with ids that the preview did not know: those of resources which turn out to keep theirs. */
  withKeptIds(one: Step, inputs: Properties): Properties {
    const resolved = this.resolved(one, inputs);
    const kept = Object.keys(one.kind.refersTo).map((property): [string, unknown] => {
      const [value, ids] = [inputs[property], resolved[property]];
      if (!Array.isArray(ids)) return [property, value];
      return [property, ids.map((id: unknown) => (this.#byUrn.has(String(id)) ? unknownValue : id))];
    });
    return { ...inputs, ...Object.fromEntries(kept.filter(([, value]) => value !== undefined)) };
  }

  /**
   * A list with keys in place of what is unknown in it. What it was made from shows whose ids they are, unless it was made from
   * more than there is room for.
   */
  #put(value: unknown, keys: readonly (string | undefined)[]): unknown {
    // A whole list that is unknown may become any list.
    if (keys.length === 0 || keys.includes(undefined) || !Array.isArray(value)) return value;
    const known = value.filter((id) => !isUnknown(id));
    const missing = keys.filter((key) => !known.includes(key));
    return missing.length > 0 && missing.length <= value.length - known.length ? [...known, ...missing] : value;
  }
}

/** The id by which others refer to a resource, or what stands in for it. An agent has its id before a program adopts it. */
function idOrStandIn(one: Step): string | undefined {
  if (one.kind.reach?.means !== "agents" || one.op === "same" || one.op === "options" || one.op === "update")
    return keyAfter(one);
  return changesOf(one)[0]?.agentId;
}

/** Returns the changes that a step makes to agents. */
export function changesOf({ kind: { reach }, op, state, declared, retained }: Step): AgentChange[] {
  if (reach?.means !== "agents" || op === "same" || op === "options") return [];
  if (op === "delete") return state && !retained ? reach.removal(state.id, state.outputs) : [];
  return declared ? reach.changes(op === "update" ? state?.id : undefined, opaque(declared.inputs)) : [];
}

/** Properties in which what is secret is not known. */
export function opaque(properties: Properties): Properties {
  // Replacing values leaves an object what it is.
  return replaceDeep(properties, (part) => (part === secretMask ? [unknownValue] : undefined)) as Properties;
}
