import { type ApprovedResource, idMember, unknownMember } from "../provider/approved";
import { hasUnknown, isUnknown, type Properties } from "../provider/values";
import { replaceDeep } from "../engine/state";
import type { PlannedOperation, Step } from "./model";

/** A property with a value that is not fully known before the update. */
export interface UnknownValue {
  property: string;
  /** URNs of the resources that the value depends on. */
  from: string[];
  /** URNs of new resources, if their ids are the only unknown parts of the value. */
  idsOf?: string[];
}

/** Returns the steps by URN. The map omits delete steps, because no other resource uses a deleted resource. */
export function stepsByUrn(steps: readonly Step[]): ReadonlyMap<string, Step> {
  return new Map(steps.filter(({ op }) => op !== "delete").map((step) => [step.urn, step]));
}
export function unknownIn(step: Step, byUrn: ReadonlyMap<string, Step>): UnknownValue[] {
  const { op, declared } = step;
  if (op === "delete" || op === "same" || op === "options" || !declared) return [];
  return Object.entries(declared.inputs).flatMap(([property, value]): UnknownValue[] => {
    if (!hasUnknown(value)) return [];
    const idsOf = newIdsIn(step, property, value, byUrn);
    return [{ property, from: (step.dependencies[property] ?? []).toSorted(), ...(idsOf && { idsOf }) }];
  });
}

/** Returns the new resources that a value refers to, if their ids are the only unknown parts of the value. */
function newIdsIn({ kind, dependencies }: Step, property: string, value: unknown, byUrn: ReadonlyMap<string, Step>) {
  const target = kind.refersTo[property];
  if (target === undefined && !kind.holdsIds.includes(property)) return undefined;
  // If a whole list is unknown, the update may produce any list.
  if (isUnknown(value) && kind.schema.shape[property]?.safeParse("1").success !== true) return undefined;
  const known: unknown[] = [];
  let unknown = 0;
  replaceDeep(value, (part) => {
    if (isUnknown(part)) unknown += 1;
    else known.push(part);
    return undefined;
  });
  const sources = (dependencies[property] ?? []).map((urn) => byUrn.get(urn));
  const fresh = sources.flatMap((source) => {
    if (!source || (target !== undefined && source.kindName !== target)) return [undefined];
    const isNew = source.op === "create" || source.op === "replace" || source.op === "adopt";
    return isNew && !known.includes(source.state?.id) ? [source.urn] : known.includes(source.state?.id) ? [] : [undefined];
  });
  const urns = fresh.flatMap((urn) => urn ?? []);
  return fresh.includes(undefined) || urns.length !== unknown ? undefined : urns.toSorted();
}

export function marked(properties: Properties, unknown: readonly UnknownValue[]): Properties {
  const all = new Map(unknown.map((unknownValue) => [unknownValue.property, unknownValue]));
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => {
      const { idsOf, from = [] } = all.get(name) ?? {};
      const left = [...(idsOf ?? [])];
      const mark = (): Properties => (idsOf ? { [idMember]: left.shift() } : { [unknownMember]: from });
      return [name, replaceDeep(value, (part) => (isUnknown(part) ? [mark()] : undefined))];
    }),
  );
}

/**
 * Returns the resources that the provider checks before it sends requests.
 *
 * The provider checks each resource that has unknown values. The provider also checks new resources if an unknown value contains their ids.
 */
export function approvedResources({ own }: PlannedOperation): ApprovedResource[] {
  const byUrn = stepsByUrn(own);
  const unknown = new Map(own.map((step) => [step, unknownIn(step, byUrn)]));
  const ids = new Set([...unknown.values()].flat().flatMap(({ idsOf = [] }) => idsOf));
  return own.flatMap((step): ApprovedResource[] => {
    const { urn, kind, state, declared, secrets } = step;
    const open = unknown.get(step) ?? [];
    if (!declared || step.op === "delete" || (open.length === 0 && !ids.has(urn))) return [];
    const names = new Set(open.map(({ property }) => property));
    const inputs = Object.entries(marked(declared.inputs, open)).filter(([name]) => !secrets.has(name));
    return [
      {
        kind: kind.name,
        urn,
        ...(state && { id: state.id }),
        known: Object.fromEntries(inputs.filter(([name]) => !names.has(name))),
        open: Object.fromEntries(inputs.filter(([name]) => names.has(name))),
        secret: [...secrets],
      },
    ];
  });
}
