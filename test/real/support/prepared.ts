/** A new stack for tests to copy. The engine created it once on this machine (test/setup/prepare-stack.cjs). */
import { createCipheriv, createHash, pbkdf2Sync, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { keyInState, keyOf, type KeySettings, newKey } from "./key-service";

const project = "prepared";

interface StackFile {
  encryptionsalt: string;
}
interface PreparedState {
  checkpoint: { stack: string; latest: { secrets_providers: object } };
}

/** Passphrase of each stack in tests. */
export const passphrase = "test";

function prepared(): { folder: string; file: StackFile } {
  const folder = process.env["TEST_PREPARED_STACK"];
  if (folder === undefined) throw new Error("No stack is prepared: tests of the engine run in the jest project `engine`.");
  return { folder, file: parse(readFileSync(join(folder, "Pulumi.dev.yaml"), "utf8")) as StackFile };
}

/** A setting in a stack's file: text, or a secret. */
export type Setting = string | { secure: string } | undefined;

/** Returns a secret as the engine writes it into a stack's settings: AES-256-GCM with its own nonce. */
export function encrypted(value: string, key: Buffer): { secure: string } {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const text = Buffer.concat([cipher.update(value, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return { secure: `v1:${nonce.toString("base64")}:${text.toString("base64")}` };
}

/**
 * Returns the key of the prepared stack: a million rounds from the passphrase and its salt, so it is derived once and stored
 * next to the stack.
 */
function preparedKey(): Buffer {
  const { folder, file } = prepared();
  const kept = join(folder, "key");
  if (existsSync(kept)) return readFileSync(kept);
  const [, salt = ""] = file.encryptionsalt.split(":");
  const derived = pbkdf2Sync(passphrase, Buffer.from(salt, "base64"), 1_000_000, 32, "sha256");
  const draft = `${kept}-${process.pid}`;
  writeFileSync(draft, derived);
  renameSync(draft, kept);
  return derived;
}

/** The holder of a stack's key: a passphrase, or a `KeyService`. */
export type KeyHolder = "passphrase" | "key service";

/** Adds a copy of the prepared stack to the project in a folder, with its own backend and home. */
export function addPreparedStack(folder: string, projectName: string, name: string, holder: KeyHolder = "passphrase"): void {
  const { folder: source, file } = prepared();
  const stacks = join(folder, "backend/.pulumi/stacks", projectName);
  mkdirSync(stacks, { recursive: true });
  writeFileSync(join(folder, "backend/.pulumi/meta.yaml"), readFileSync(join(source, "backend/.pulumi/meta.yaml")));
  const state = JSON.parse(readFileSync(join(source, `backend/.pulumi/stacks/${project}/dev.json`), "utf8")) as PreparedState;
  state.checkpoint.stack = fullName(projectName, name);
  const key = holder === "passphrase" ? undefined : newKey();
  if (key) state.checkpoint.latest.secrets_providers = keyInState(key);
  writeFileSync(join(stacks, `${name}.json`), JSON.stringify(state));
  writeFileSync(join(folder, `Pulumi.${name}.yaml`), stringify(key ?? { encryptionsalt: file.encryptionsalt }));
}

/** Selects a stack, as `pulumi stack select` does. */
export function selectStack(folder: string, projectName: string, name: string): void {
  const file = selectionFile(folder, projectName);
  mkdirSync(join(folder, "home/workspaces"), { recursive: true });
  const stacks = { [`file://${join(folder, "backend")}`]: fullName(projectName, name) };
  writeFileSync(file, JSON.stringify({ stacks }));
}

/** Selects no stack, as `pulumi stack unselect` does. */
export function unselectStack(folder: string, projectName: string): void {
  rmSync(selectionFile(folder, projectName));
}

/** Returns the name of the selected stack. */
export function selectedStack(folder: string, projectName: string): string {
  const { stacks } = JSON.parse(readFileSync(selectionFile(folder, projectName), "utf8")) as { stacks: Record<string, string> };
  return Object.values(stacks)[0]?.split("/").at(-1) ?? "";
}

function selectionFile(folder: string, projectName: string): string {
  const digest = createHash("sha1").update(join(folder, "Pulumi.yaml")).digest("hex");
  return join(folder, `home/workspaces/${projectName}-${digest}-workspace.json`);
}

function fullName(projectName: string, name: string): string {
  return `organization/${projectName}/${name}`;
}

/** Changes settings in a stack's file. undefined removes a setting. */
export function changeSettings(folder: string, stack: string, settings: Record<string, Setting>): void {
  const file = join(folder, `Pulumi.${stack}.yaml`);
  const whole = (parse(readFileSync(file, "utf8")) ?? {}) as { config?: Record<string, unknown> };
  const config = { ...whole.config, ...settings };
  const kept = Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
  writeFileSync(file, stringify({ ...whole, config: kept }));
}

/** Returns the key of a stack that was added here, or undefined for any other. */
export function keyOfStack(folder: string, stack: string): Buffer | undefined {
  const settings = parse(readFileSync(join(folder, `Pulumi.${stack}.yaml`), "utf8")) as Partial<StackFile & KeySettings>;
  const { encryptionsalt, secretsprovider, encryptedkey } = settings;
  if (secretsprovider !== undefined && encryptedkey !== undefined) return keyOf({ secretsprovider, encryptedkey });
  return encryptionsalt === prepared().file.encryptionsalt ? preparedKey() : undefined;
}
