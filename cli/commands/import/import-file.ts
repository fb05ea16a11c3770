import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type Properties, secretSignature, signatureKey } from "../../../provider/values";
import { classOfToken, providerString, resourcePath, typesOfUrn } from "../../../sdk/token";
import { replaceFile } from "../../../program/edit-files";
import { parseJson, writeWhole } from "../../../common/files";
import { type Front, frontOfToken, tokenOf } from "../../../program/front";
import { isSecret, nameOfUrn, parentOf } from "../../../engine/state";
import type { GeneratedFile } from "../../../program/record-to-declare";
import type { Created, PlannedItem } from "./plan";
import { UsageError } from "../../../common/errors";

/** A resource for `pulumi import --file`. If an entry contains inputs and outputs, the engine does not read the record from the service. */
export interface ImportEntry {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  /** URN of the parent, unless the stack is the parent. */
  readonly parent?: string;
}

/** Schema that accepts only import files from this command. These files contain only components and resources of this package. */
const importFile = z.object({
  resources: z.array(
    z.union([
      z.object({ component: z.literal(true) }),
      z.object({ type: z.string().refine((type) => classOfToken(type) !== undefined), inputs: z.looseObject({}) }),
    ]),
  ),
});

/** @param front provider type for records that the program does not declare yet */
export function entriesOf(items: readonly PlannedItem[], front: Front): ImportEntry[] {
  return items.flatMap(({ of: { kind }, id, name, expressed, declared, declaration, secrets }) => {
    if (!expressed) return [];
    const parent = declared && parentOf(declared);
    const type = declared?.type ?? tokenOf(declaration?.front ?? front, kind.name);
    const isDynamic = frontOfToken(type) === "dynamic";
    // The output `__provider` lets a native resource become a dynamic resource later.
    const provider = { __provider: providerString(kind.name) };
    const protocol = { ...provider, __resource: resourcePath(name, parent === undefined ? [] : [typesOfUrn(parent)]) };
    const secret = new Set(secrets.map(({ property }) => property));
    const inputs = { ...withSecretsMarked(expressed.inputs, secret), ...(isDynamic && protocol) };
    const outputs = { ...withSecretsMarked(expressed.outputs, secret), ...(isDynamic ? protocol : provider) };
    return [{ type, name, id, inputs, outputs, ...(parent !== undefined && { parent }) }];
  });
}

function withSecretsMarked(properties: Properties, secret: ReadonlySet<string>): Properties {
  const marked = Object.entries(properties).map(([property, value]) => {
    const sealed = { [signatureKey]: secretSignature, plaintext: JSON.stringify(value) };
    return [property, secret.has(property) ? sealed : value];
  });
  return Object.fromEntries(marked);
}

/** Whether the entries contain secrets. An import file with secrets is readable only by the user. */
export function holdsSecrets(entries: readonly ImportEntry[]): boolean {
  return entries.some(({ inputs }) => Object.values(inputs).some(isSecret));
}

/**
 * Returns the content of an import file. The import file refers to parents by URN. Each parent is either in the stack or a component in the
 * import file.
 */
export function importFileText(entries: readonly ImportEntry[], created: Created = new Map()): string {
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
 * Writes the program first and then the import file, so that an import file never exists without its program. If the command is
 * interrupted, a second run writes the remaining files.
 *
 * @param root folder that the paths are relative to
 * @throws UsageError if another process created or changed one of the files after this command read it
 */
export function writeAll(
  root: string,
  files: readonly GeneratedFile[],
  path: string,
  entries: readonly ImportEntry[],
  created?: Created,
): void {
  for (const { path: file, before, text } of files) replaceFile(join(root, file), before, text);
  if (entries.length > 0) writeWhole(path, importFileText(entries, created), holdsSecrets(entries) ? 0o600 : undefined);
}

/** @throws UsageError if this command would replace a file that it did not write */
export function refuseOthersFiles(root: string, files: readonly GeneratedFile[], path: string): void {
  const created = files.filter(({ before }) => before === undefined).map((file) => join(root, file.path));
  const taken = created.find((file) => existsSync(file));
  if (taken !== undefined) {
    throw new UsageError(
      `${taken} already exists, but is not a regular file with UTF-8 text. Move the existing file, then run \`import\` again`,
      "work",
    );
  }
  if (!existsSync(path) || importFile.safeParse(parseJson(readFileSync(path, "utf8"))).success) return;
  throw new UsageError(
    `${path} already exists, but \`import\` did not write this file. Move the existing file, then run \`import\` again`,
    "work",
  );
}
