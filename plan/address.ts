import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { allowText } from "../api/allowed-hosts";
import { settings, type SettingName } from "../api/setting-names";
import { serviceProperty } from "../provider/lifecycle-state";
import { objectOf, sameValue, stringOf } from "../provider/values";
import type { EngineStep } from "../engine/preview-output";
import { parseProjectFile, projectFileNames, stackFileNames } from "../engine/project-file";
import { providerHost } from "../engine/provider-inputs";
import { type ProjectStack, shortName } from "../engine/stack";
import { type EngineResource, type HeldState, kindNameOf, nameOfUrn } from "../engine/state";
import type { ServiceAddress, PlannedOperation } from "./model";
import { ours, phrase, type Phrase, strong, word } from "../common/phrase";
import { UsageError } from "../common/errors";

const shown = ["baseUrl", "accountGroupId", "token", "clientId"] as const satisfies readonly SettingName[];

const decisive = [
  ...shown,
  "clientSecret",
  "serviceBearerToken",
  "tenantId",
  "scope",
  "movedFrom",
] as const satisfies readonly SettingName[];

/**
 * Returns the host that will receive a stack's requests, and warnings about a changed host. Sends no requests.
 *
 * The function compares the host with the hosts of the last update, the environment and the target branch.
 *
 * @param base a commit of the target branch, such as `origin/main`
 * @throws UsageError if the configuration cannot be read, or if git does not find the commit
 */
export async function addressOf(
  stack: ProjectStack,
  heldState: Promise<HeldState>,
  base: string | undefined,
): Promise<ServiceAddress> {
  const configured = await stack.configured();
  const { env } = stack.project.io;
  const changed = shown.flatMap((name) => {
    const value = configured(name) || env[settings[name].env];
    if (!value) return [];
    const from = configured(name) ? "configuration" : "environment";
    const visible = name === "baseUrl" ? (originOf(value) ?? "") : value;
    return [{ name, from, ...(!("secret" in settings[name]) && { value: visible }) }];
  });
  const origin = originOf(changed.find(({ name }) => name === "baseUrl")?.value);
  const allowed = await stack.allowedHosts();
  if (origin === undefined) return { host: "", settings: changed, allowed, dangers: [] };
  const host = hostOf(origin);
  const leads = (than: Phrase): Phrase =>
    phrase`the provider sends requests and the token ${strong("to another host")}: ${word("baseUrl")} is ${word(host)}${than}`;
  const last = [...new Set((await heldState).resources.flatMap(serviceOf))].filter((candidate) => candidate !== origin);
  const meant = originOf(env[settings.baseUrl.env]);
  return {
    host,
    settings: changed,
    allowed,
    dangers: [
      ...last.map((lastOrigin) => leads(phrase`, but the last update used ${word(hostOf(lastOrigin))}`)),
      ...(meant === undefined || meant === origin
        ? []
        : [leads(phrase`, and ${word(settings.baseUrl.env)} is ${word(hostOf(meant))}`)]),
      ...(base === undefined ? [] : newIn(stack, base)),
    ],
  };
}

/**
 * Returns warnings about new hosts of an operation, including the hosts of explicit providers.
 *
 * @param allowUnknown properties that may be unknown before the update, as `NAME.PROPERTY`
 */
export function addressDangers(
  { address, steps }: Pick<PlannedOperation, "address" | "steps">,
  allowUnknown: readonly string[] = [],
): { urn?: string; text: Phrase }[] {
  if (!address) return [];
  const { allowed, host: own } = address;
  const ofProviders = steps.flatMap(({ urn, oldState, newState }) => {
    const [before, after] = [providerHost(oldState), providerHost(newState)];
    if (after === undefined) return [];
    const provider = phrase`provider ${nameOfUrn(urn)}`;
    const setting = `${nameOfUrn(urn)}.baseUrl`;
    if ("unknown" in after) {
      if (allowUnknown.includes(setting)) return [];
      const remedy = phrase`. Set ${word("baseUrl")} to a value that is known during the preview, or allow any value with ${word(`--allow-unknown ${setting}`)}`;
      return [{ urn, text: phrase`${provider}: ${word("baseUrl")} is ${strong("known only during the update")}${remedy}` }];
    }
    const { host } = after;
    const isAllowed = allowed?.includes(host) !== false;
    const isMoved = before !== undefined && "host" in before && before.host !== host && host !== own;
    if (isAllowed && !isMoved) return [];
    const remedy = isAllowed ? [] : phrase`. ${ours(allowText(host, allowed ?? []))}`;
    return [{ urn, text: phrase`${provider} sends its requests ${strong("to another host")}: ${word(host)}${remedy}` }];
  });
  return [...address.dangers.map((text) => ({ text })), ...ofProviders];
}

export function refusedProviders(steps: readonly EngineStep[], { allowed }: ServiceAddress): EngineStep[] {
  return steps.filter(({ newState }) => {
    const provider = providerHost(newState);
    return provider !== undefined && "host" in provider && allowed?.includes(provider.host) === false;
  });
}

/**
 * Returns the origin of the service in a resource's outputs. The function skips resources with an explicit provider, because an explicit
 * provider has its own host.
 */
function serviceOf({ type, outputs, provider = "" }: EngineResource): string[] {
  const service = stringOf(outputs?.[serviceProperty]);
  const isOfStack = /::default(_[\w.]+)?::[^:]*$/.test(provider);
  return kindNameOf(type) !== undefined && isOfStack && service !== undefined ? [service] : [];
}

function originOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;
}

function hostOf(origin: string): string {
  return new URL(origin).host;
}

/** Names of files that determine the package registry or add a policy pack. */
const decisiveFiles = {
  "the package registry": [".npmrc", ".yarnrc", ".yarnrc.yml", "bunfig.toml", ".pnpmfile.cjs", "pnpm-workspace.yaml"],
  "a policy pack": ["PulumiPolicy.yaml", "PulumiPolicy.yml"],
};
const lockFiles = ["npm-shrinkwrap.json", "package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock"];

/** Members of `Pulumi.yaml` and of stack settings files that may change the executed code, the backend or the account. */
const decisiveParts = {
  project: ["runtime", "main", "backend", "plugins", "packages", "options", "stackConfigDir"],
  stack: ["environment", "secretsprovider", "encryptionsalt", "encryptedkey"],
};

function newIn(stack: ProjectStack, base: string): Phrase[] {
  const { io, folder } = stack.project;
  const git = (...args: string[]): string | undefined => {
    const { status, stdout } = spawnSync("git", args, { cwd: folder, env: io.env, encoding: "utf8", maxBuffer: 256_000_000 });
    return status === 0 ? stdout : undefined;
  };
  const [root = "", prefix = ""] = git("rev-parse", "--show-toplevel", "--show-prefix")?.split("\n") ?? [];
  const commit = git("rev-parse", "--verify", "--quiet", `${base}^{commit}`)?.trim();
  if (commit === undefined)
    throw new UsageError(`git cannot find commit ${base}. Fetch the commit, or set another commit with --base`, "work");
  // The target branch may have newer commits, so the function compares the program with the merge base.
  const fork = git("merge-base", commit, "HEAD")?.trim() ?? commit;
  const changed = (names: readonly string[]): string[] => {
    const specs = names.map((name) => `:(top,glob)**/${name}`);
    const files = git("diff", "-z", "--name-only", "--no-renames", "--no-ext-diff", fork, "--", ...specs);
    if (files === undefined)
      throw new UsageError(`git cannot compare the files with commit ${base}. Set another commit with --base`, "work");
    return files.split("\0").filter(Boolean);
  };
  const before = (path: string): string => git("show", `${fork}:${path}`) ?? "";
  const after = (path: string): string => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : "");
  const changedParts = (path: string, keys: readonly string[]): string[] => {
    const [old, now] = [before(path), after(path)].map((text) => decisivePartsOf(path, text, keys));
    return Object.keys({ ...old, ...now }).filter((key) => !sameValue(old?.[key], now?.[key]));
  };

  const files = Object.entries(decisiveFiles).flatMap(([what, names]) =>
    changed(names).map((path) => phrase`${word(path)} changes ${ours(what)}`),
  );
  const hosts = changed(lockFiles).flatMap((path) => {
    // npm prefers npm-shrinkwrap.json to package-lock.json, so a new lock file can replace an existing one.
    const known = new Set(lockFiles.flatMap((name) => [...sourcesIn(before(posix.join(posix.dirname(path), name)))]));
    const strange = known.size === 0 ? [] : [...sourcesIn(after(path))].filter((host) => !known.has(host));
    return strange.map((host) => phrase`${word(path)} takes packages from ${strong("another host")}: ${word(host)}`);
  });
  const parts = [
    ...projectFileNames.map((name) => ({ path: prefix + name, keys: decisiveParts.project })),
    ...stackFileNames(folder, shortName(stack.name)).map((name) => ({ path: prefix + name, keys: decisiveParts.stack })),
  ].flatMap(({ path, keys }) => changedParts(path, keys).map((key) => phrase`${word(path)} changes ${word(key)}`));
  return [...files, ...hosts, ...parts];
}

/** The function ignores invalid project files, because the engine reports them. */
function decisivePartsOf(file: string, text: string, keys: readonly string[]): Record<string, unknown> {
  try {
    const content = objectOf(parseProjectFile(file, text));
    const config = objectOf(content["config"]);
    const settingKeys = [...decisive.map((name) => `endpoint-monitoring:${name}`), "pulumi:disable-default-providers"];
    return { ...pick(content, keys), ...pick(config, settingKeys) };
  } catch {
    return {};
  }
}

function pick(from: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.flatMap((key) => (from[key] === undefined ? [] : [[key, from[key]]])));
}

function sourcesIn(lock: string): ReadonlySet<string> {
  const urls = lock.matchAll(/(?:\bresolved"?:?\s*"?|\btarball:\s*["']?)(?:git\+)?[\w+]+:\/\/(?:[^@/\s"']*@)?([^/\s"'#?]+)/g);
  return new Set([...urls].map(([, host = ""]) => host));
}
