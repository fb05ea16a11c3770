import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { type Properties, isObject, secretSignature, signatureKey } from "../../provider/values";
import { classOfToken, providerString, resourcePath, typesOfUrn } from "../../sdk/token";
import { UsageError } from "../command";
import { type Front, frontOfToken, tokenOf } from "../front";
import { type EngineResource, type ManagedResource, nameOfUrn, parentOf } from "../engine/state";
import { isOpen, type ImportPlan } from "./plan";
import type { Program } from "./program";

const propertiesSchema = z.record(z.string(), z.unknown());
const importEntry = z.object({
  type: z.string().refine((type) => classOfToken(type) !== undefined),
  name: z.string(),
  id: z.string(),
  inputs: propertiesSchema,
  outputs: propertiesSchema,
  /** URN of the parent, unless that is the stack. */
  parent: z.string().optional(),
});
const importFile = z.object({ resources: z.array(z.union([z.object({ component: z.literal(true) }), importEntry])) });

/** A resource as `pulumi import --file` takes it: with inputs and outputs, so that the engine reads nothing. */
export type ImportEntry = z.output<typeof importEntry>;

/** @param front that of the declarations that are written; one that the program has already is of its own */
export function entriesOf({ items, secrets }: ImportPlan, front: Front): ImportEntry[] {
  return items.filter(isOpen).flatMap(({ of: { kind }, id, name, expressed, declared, front: own = front }) => {
    if (!expressed) return [];
    const secret = new Set(secrets.filter((one) => one.id === id).map(({ property }) => property));
    const type = declared?.type ?? tokenOf(own, kind.name);
    // The plugin has it among the outputs, too: so that a stack may move to dynamic providers.
    const provider = { __provider: providerString(kind.name) };
    const protocol = {
      ...provider,
      __resource: resourcePath(name, declared?.parent === undefined ? [] : [typesOfUrn(declared.parent)]),
    };
    const isDynamic = frontOfToken(type) === "dynamic";
    const inputs = { ...carried(expressed.inputs, secret), ...(isDynamic && protocol) };
    const outputs = { ...carried(expressed.outputs, secret), ...(isDynamic ? protocol : provider) };
    const parent = declared?.parent === undefined ? {} : { parent: declared.parent };
    return [{ type, name, id, inputs, outputs, ...parent }];
  });
}

/** Properties as the engine carries them: with secrets marked as such. */
function carried(properties: Properties, secret: ReadonlySet<string>): Properties {
  const marked = Object.entries(properties).map(([property, value]) => [
    property,
    secret.has(property) ? sealed(value) : value,
  ]);
  return Object.fromEntries(marked);
}

function sealed(value: unknown): Properties {
  return { [signatureKey]: secretSignature, plaintext: JSON.stringify(value) };
}

/** Whether a file with these entries is to be kept from others. */
export function holdsSecrets(entries: readonly ImportEntry[]): boolean {
  return entries.some(({ inputs }) => Object.values(inputs).some((value) => isObject(value) && signatureKey in value));
}

/**
 * Text of an import file. Resources that others belong to are named by their URNs: they are in the stack, or they are components, which are
 * imported with them.
 *
 * @param created what the next update would create, by URN
 */
export function importFileText(
  entries: readonly ImportEntry[],
  created: ReadonlyMap<string, EngineResource> = new Map(),
): string {
  const nameTable: Record<string, string> = {};
  const components = new Map<string, object>();
  const add = (urn: string | undefined): void => {
    if (urn === undefined || components.has(urn)) return;
    const component = created.get(urn);
    if (!component) {
      nameTable[urn] = urn;
      return;
    }
    const parent = parentOf(component);
    components.set(urn, { type: component.type, name: urn, logicalName: nameOfUrn(urn), component: true, parent });
    add(parent);
  };
  for (const { parent } of entries) add(parent);
  const table = Object.keys(nameTable).length > 0 ? { nameTable } : {};
  return `${JSON.stringify({ ...table, resources: [...components.values(), ...entries] }, null, 2)}\n`;
}

/**
 * Entries of an earlier import that was never run: what is still declared and still not managed has to be in the next file, too,
 * else the next update would create it once more.
 *
 * @throws UsageError for a file that is somebody else's
 */
export function leftOver(
  path: string,
  entries: readonly ImportEntry[],
  managed: readonly ManagedResource[],
  program: Program,
): ImportEntry[] {
  if (!existsSync(path)) return [];
  const earlier = earlierEntries(path);
  if (!earlier) {
    throw new UsageError(`${path} exists and is no import file of this command. Name another with --file`, "work");
  }
  const classIn = ({ type }: Pick<ImportEntry, "type">): string => classOfToken(type) ?? type;
  const done = new Set([
    ...entries.map((entry) => `${classIn(entry)} ${entry.name}`),
    ...managed.map(({ kind, name }) => `${kind.name} ${name}`),
  ]);
  const records = new Set([
    ...entries.map((entry) => `${classIn(entry)} ${entry.id}`),
    ...managed.map(({ kind, id }) => `${kind.name} ${id}`),
  ]);
  return earlier.filter((entry) => {
    const declared = program.declares(classIn(entry), entry.name);
    // The program itself declares entries with a parent.
    if (entry.parent !== undefined) return false;
    return declared && !done.has(`${classIn(entry)} ${entry.name}`) && !records.has(`${classIn(entry)} ${entry.id}`);
  });
}

/** The entries of an import file. Undefined if this command did not write the file. */
function earlierEntries(path: string): ImportEntry[] | undefined {
  try {
    const { resources } = importFile.parse(JSON.parse(readFileSync(path, "utf8")));
    return resources.filter((one): one is ImportEntry => !("component" in one));
  } catch {
    return undefined;
  }
}
