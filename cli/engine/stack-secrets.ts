import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, objectOf, stringOf } from "../../provider/values";
import { UsageError } from "../command";
import { inPrivateFolder, parseJson } from "../files";
import { readStackFile } from "./project-file";
import { engineError, jsonOf } from "./run";
import { type ProjectStack, shortName } from "./stack";

/** Lines of a stack's settings by which the engine finds the key of the stack: a passphrase's salt, or the key of a cloud service. */
const keyLines = ["encryptionsalt", "secretsprovider", "encryptedkey"];

/** Namespace of the settings that stand in the file for a moment. */
const namespace = "opened";

/**
 * Opens what the engine has encrypted with the key of a stack, such as the secrets in a plan. Whatever keeps that key, the engine
 * does it: the values stand, as they are, in a settings file of their own, which the engine reads as it reads the stack's.
 *
 * @returns the texts in the order given
 * @throws UsageError where it cannot open them
 */
export async function openSecrets(stack: ProjectStack, ciphertexts: readonly string[]): Promise<string[]> {
  if (ciphertexts.length === 0) return [];
  const entries = ciphertexts.map((secure, at) => [`${namespace}:s${at}`, { secure }]);
  return withSettings(stack, Object.fromEntries(entries), async (file) => {
    const run = await stack.run(["config", "--json", "--show-secrets", "--config-file", file]);
    const printed = jsonOf("Secrets of the plan cannot be opened", run, isObject);
    return ciphertexts.map((_, at) => {
      const setting = printed[`${namespace}:s${at}`];
      const value = isObject(setting) ? stringOf(setting["value"]) : undefined;
      if (value === undefined) throw new UsageError("Secrets of the plan cannot be opened: the engine left one out", "work");
      return value;
    });
  });
}

/** Encrypts a text with the key of a stack, as the engine does for its settings. @throws UsageError */
export async function sealSecret(stack: ProjectStack, text: string): Promise<string> {
  return withSettings(stack, {}, async (file) => {
    const run = await stack.run(["config", "set", "--secret", `${namespace}:s0`, "--config-file", file], { input: text });
    if (run.code !== 0 || run.interrupted) throw engineError("The key of the approval cannot be encrypted", run);
    const written = parseJson(readFileSync(file, "utf8"));
    const config = objectOf(objectOf(written)["config"]);
    const setting = config[`${namespace}:s0`];
    const secure = isObject(setting) ? stringOf(setting["secure"]) : undefined;
    if (secure !== undefined) return secure;
    throw new UsageError("The key of the approval cannot be encrypted: the engine wrote none", "work");
  });
}

/** Runs something with a file of settings of its own, which has the stack's key. Only ciphertexts are ever in it. */
async function withSettings<T>(stack: ProjectStack, config: object, use: (file: string) => Promise<T>): Promise<T> {
  const own = readStackFile(stack.project.folder, shortName(stack.name));
  const lines = keyLines.flatMap((line) => (line in own ? [[line, own[line]] as const] : []));
  return inPrivateFolder(async (folder) => {
    const file = join(folder, "settings.json");
    writeFileSync(file, JSON.stringify({ ...Object.fromEntries(lines), config }), { mode: 0o600 });
    return use(file);
  });
}
