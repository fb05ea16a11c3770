import type { EngineResource } from "../../engine/state";
import type { ChangedResource, DriftReport, PropertyDrift, ResourceRef } from "../../cli/commands/drift/data";
import { check } from "../../provider/check";
import type { Kind } from "../../provider/kind";
import { Lifecycle } from "../../provider/lifecycle";
import { type KindName, registry } from "../../provider/registry";
import type { Session } from "../../provider/session";
import type { Properties } from "../../provider/values";
import { typeToken } from "../../sdk/token";

export function urnOf(kind: KindName, name: string, stack = "dev"): string {
  return `urn:pulumi:${stack}::test::${typeToken(registry[kind].name)}::${name}`;
}

export function reference(kind: KindName, name: string, more: Partial<ResourceRef> = {}): ResourceRef {
  const { stack = "dev" } = more;
  return {
    stack,
    kind,
    name,
    id: `id-${name}`,
    urn: urnOf(kind, name, stack),
    position: { file: "index.ts", line: 7, column: 1 },
    ...more,
  };
}

export function drifted(
  kind: KindName,
  name: string,
  properties: Partial<PropertyDrift>[] = [{}],
  more: Partial<ChangedResource> = {},
): ChangedResource {
  return {
    ...reference(kind, name, more),
    properties: properties.map((drift) => ({
      property: "interval",
      how: "changed",
      before: 60,
      after: 300,
      owner: "program",
      ...drift,
    })),
    ...more,
  };
}

export function reportWith(more: Partial<DriftReport> & { changed?: ChangedResource[] } = {}): DriftReport {
  const { changed = [], ...rest } = more;
  return {
    drift: true,
    stacks: [{ stack: "dev", resources: changed.length, changed, missing: [], notes: [] }],
    unmanaged: [],
    unseen: [],
    failures: [],
    ...rest,
  };
}

/** Creates a record as an update does. @returns its resource in the state */
export async function created(
  session: Session,
  kindName: KindName,
  name: string,
  properties: Properties,
  more: Partial<EngineResource> = {},
): Promise<EngineResource> {
  const kind: Kind = registry[kindName];
  const { inputs } = check(kind, properties);
  const { id, state } = await new Lifecycle(kind, session).create(inputs);
  return inState(kindName, name, {}, { id, inputs, outputs: state, ...more });
}

/** A resource in a state. @param from the resources that each property refers to */
export function inState(
  kind: KindName,
  name: string,
  from: Record<string, string[]> = {},
  more: Partial<EngineResource> = {},
): EngineResource {
  const propertyDependencies = { __provider: [], ...from };
  return { urn: urnOf(kind, name), type: typeToken(registry[kind].name), id: `id-${name}`, propertyDependencies, ...more };
}
