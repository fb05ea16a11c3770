import type { EngineResource } from "../../engine/state";
import type { ChangedResource, DriftReport, PropertyDrift, ResourceRef } from "../../cli/commands/drift/data";
import { type KindName, registry } from "../../provider/registry";
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
    properties: properties.map((one) => ({
      property: "interval",
      how: "changed",
      before: 60,
      after: 300,
      owner: "program",
      ...one,
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
