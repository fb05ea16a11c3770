import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, objectOf, stringOf } from "../provider/values";
import { parseJson } from "../common/files";
import { readStackFile } from "./project-file";
import { engineError, jsonOf } from "./run";
import { type ProjectStack, shortName } from "./stack";
import { UsageError } from "../common/errors";
import { inPrivateFolder } from "./private-files";

/** Members of a stack file that refer to the stack's encryption key. */
const keyMembers = ["encryptionsalt", "secretsprovider", "encryptedkey"];

const namespace = "opened";

/**
 * Decrypts strings that the engine encrypted with a stack's key. The engine decrypts the strings in a temporary settings file, so this
 * function supports every secrets provider.
 *
 * @returns the decrypted strings, in the order of the encrypted strings
 * @throws UsageError if the engine cannot decrypt the strings
 */
export async function openSecrets(stack: ProjectStack, ciphertexts: readonly string[]): Promise<string[]> {
  if (ciphertexts.length === 0) return [];
  const entries = ciphertexts.map((secure, at) => [`${namespace}:s${at}`, { secure }]);
  return withSettings(stack, Object.fromEntries(entries), async (file) => {
    const run = await stack.run(["config", "--json", "--show-secrets", "--config-file", file]);
    const printed = jsonOf("The plan's secrets cannot be decrypted", run, isObject);
    return ciphertexts.map((_, at) => {
      const value = stringOf(objectOf(printed[`${namespace}:s${at}`])["value"]);
      if (value === undefined)
        throw new UsageError("The plan's secrets cannot be decrypted, because the engine did not return all secrets", "work");
      return value;
    });
  });
}

/**
 * Encrypts a string with a stack's key.
 *
 * @throws UsageError
 */
export async function sealSecret(stack: ProjectStack, text: string): Promise<string> {
  return withSettings(stack, {}, async (file) => {
    const run = await stack.run(["config", "set", "--secret", `${namespace}:s0`, "--config-file", file], { input: text });
    if (run.code !== 0 || run.interrupted) throw engineError("The approval's key cannot be encrypted", run);
    const config = objectOf(objectOf(parseJson(readFileSync(file, "utf8")))["config"]);
    const secure = stringOf(objectOf(config[`${namespace}:s0`])["secure"]);
    if (secure !== undefined) return secure;
    throw new UsageError("The approval's key cannot be encrypted, because the engine did not write the encrypted key", "work");
  });
}

/**
 * Calls a function with a temporary settings file that refers to the stack's key. The settings file never contains a secret
 * in plain text.
 */
async function withSettings<T>(stack: ProjectStack, config: object, use: (file: string) => Promise<T>): Promise<T> {
  const settings = readStackFile(stack.project.folder, shortName(stack.name));
  const members = keyMembers.flatMap((member) => (member in settings ? [[member, settings[member]] as const] : []));
  return inPrivateFolder(async (folder) => {
    const file = join(folder, "settings.json");
    writeFileSync(file, JSON.stringify({ ...Object.fromEntries(members), config }), { mode: 0o600 });
    return use(file);
  });
}
