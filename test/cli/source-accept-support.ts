import { acceptInto } from "../../cli/source/accept";
import type { AcceptedChange, AcceptedResource, Acceptance, Reality } from "../../cli/source/accepted";
import { placeText } from "../../cli/source/locate";
import { ProgramSource } from "../../cli/source/program";
import { sensitiveProperties } from "../../cli/engine/state";
import type { Kind } from "../../provider/kind";
import { registry, type KindName } from "../../provider/registry";

/** A resource as a stack would hold it. */
export function resource(kindName: KindName, name: string, more: Partial<AcceptedResource> = {}): AcceptedResource {
  const kind: Kind = registry[kindName];
  const secrets = new Set(sensitiveProperties(kind));
  return { stack: "dev", name, kindName, kind, id: `id-of-${name}`, inputs: {}, secrets, ...more };
}

/** Changes of properties to these values; undefined for one that has gone. */
export function changes(values: Record<string, unknown>): AcceptedChange[] {
  return Object.entries(values).map(([property, after]) =>
    after === undefined ? { property, how: "removed" } : { property, how: "changed", after },
  );
}

export async function acceptIn(files: Record<string, string>, realities: readonly Reality[]): Promise<Acceptance> {
  return acceptInto(await ProgramSource.of("/nowhere", files), realities);
}

/** What is not placed, each in a line. */
export function told({ unplaced }: Acceptance): string[] {
  return unplaced.map(
    ({ resource: { name }, property, reason, position }) =>
      `${name}.${property} ${reason}${position ? ` (${placeText(position)})` : ""}`,
  );
}
