import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { settings, type SettingName } from "../../api/setting-names";
import { serviceProperty } from "../../provider/lifecycle";
import { isObject, objectOf, sameValue, stringOf } from "../../provider/values";
import { UsageError } from "../command";
import type { EngineStep } from "../engine/preview-output";
import { parseProjectFile, projectFileNames, stackFileNames } from "../engine/project-file";
import { type ProjectStack, shortName } from "../engine/stack";
import { type EngineResource, type HeldState, kindNameOf, nameOfUrn } from "../engine/state";
import type { Operation } from "./operation";
import { ours, phrase, type Phrase, strong, word } from "../report/phrase";

/** Where the requests of an operation go, and where each setting that decides about that comes from. */
export interface Address {
  /** Host of the service, such as `api.example.com`; empty if no setting names one. */
  host: string;
  settings: { name: SettingName; from: string; value?: string }[];
}

/** An address, and what of it nobody has seen before: sentences. */
export interface SeenAddress extends Address {
  dangers: Phrase[];
}

const shown = ["baseUrl", "accountGroupId", "token", "clientId"] as const satisfies readonly SettingName[];

/** Settings that decide where requests go, with whose credentials, and to whose records. */
const decisive = [
  ...shown,
  "clientSecret",
  "serviceBearerToken",
  "tenantId",
  "scope",
  "movedFrom",
] as const satisfies readonly SettingName[];

/**
 * Reads where the next operation of a stack sends its requests, before anything is sent: compared with the last update, with the
 * environment and, if there is one, with the branch that the change goes to.
 *
 * @param base a commit of that branch, as git names it
 * @throws UsageError if the configuration cannot be read, or git does not know the commit
 */
export async function addressOf(stack: ProjectStack, held: Promise<HeldState>, base: string | undefined): Promise<SeenAddress> {
  const configured = await stack.configured();
  const { env } = stack.project.io;
  const found = shown.flatMap((name) => {
    const value = configured(name) || env[settings[name].env];
    if (!value) return [];
    const from = configured(name) ? "configuration" : "environment";
    return [
      { name, from, ...(!("secret" in settings[name]) && { value: name === "baseUrl" ? (originOf(value) ?? "") : value }) },
    ];
  });
  const origin = originOf(found.find(({ name }) => name === "baseUrl")?.value);
  const last = [...new Set((await held).resources.flatMap(serviceOf))].filter((one) => one !== origin);
  const meant = originOf(env[settings.baseUrl.env]);
  if (origin === undefined) return { host: "", settings: found, dangers: [] };
  return {
    host: hostOf(origin),
    settings: found,
    dangers: [
      ...last.map((one) => leads(origin, phrase`, and the last update went to ${word(hostOf(one))}`)),
      ...(meant === undefined || meant === origin
        ? []
        : [leads(origin, phrase`, and ${word(settings.baseUrl.env)} names ${word(hostOf(meant))}`)]),
      ...(base === undefined ? [] : newIn(stack, base)),
    ],
  };
}

/** Addresses that are new: those of the operation itself, and those of providers in the program. */
export function addressDangers({ address, steps }: Operation): { urn?: string; text: Phrase }[] {
  if (!address) return [];
  return [...address.dangers.map((text) => ({ text })), ...newProviders(steps, address.host)];
}

/** Providers of the program whose requests go to a host that they did not go to before. */
function newProviders(steps: readonly EngineStep[], host: string): { urn: string; text: Phrase }[] {
  return steps.flatMap(({ urn, oldState, newState }) => {
    if (!newState?.type.startsWith("pulumi:providers:")) return [];
    const [before, after] = [oldState, newState].map((state) => originOf(stringOf(state?.inputs?.["baseUrl"])));
    if (after === undefined || after === before || hostOf(after) === host) return [];
    return [
      { urn, text: phrase`provider ${nameOfUrn(urn)} sends its requests ${strong("to another host")}: ${word(hostOf(after))}` },
    ];
  });
}

function leads(origin: string | undefined, than: Phrase): Phrase {
  return phrase`requests and their token go ${strong("to another host")}: ${word("baseUrl")} leads to ${word(hostOf(origin))}${than}`;
}

/** The service that has a record, unless a provider of its own leads there. */
function serviceOf({ type, outputs, provider = "" }: EngineResource): string[] {
  const service = stringOf(outputs?.[serviceProperty]);
  const isOfStack = /::default(_[\w.]+)?::[^:]*$/.test(provider);
  return kindNameOf(type) !== undefined && isOfStack && service !== undefined ? [service] : [];
}

function originOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;
}

function hostOf(origin: string | undefined): string {
  return origin === undefined ? "" : new URL(origin).host;
}

/** Files that decide where packages come from and what runs with them, anywhere in a repository. */
const decisiveFiles = {
  "the package registry": [".npmrc", ".yarnrc", ".yarnrc.yml", "bunfig.toml", ".pnpmfile.cjs", "pnpm-workspace.yaml"],
  "a policy pack": ["PulumiPolicy.yaml", "PulumiPolicy.yml"],
};
const lockFiles = ["package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock"];

/** Members of project and stack files that decide about the machine or the account, rather than about resources. */
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
    throw new UsageError(`git knows no commit ${base}: fetch it, or name another one with --base`, "work");
  // Compares with the fork, since the other branch may have moved on.
  const fork = git("merge-base", commit, "HEAD")?.trim() ?? commit;
  const changed = (names: readonly string[]): string[] => {
    const specs = names.map((name) => `:(top,glob)**/${name}`);
    const files = git("diff", "-z", "--name-only", "--no-renames", "--no-ext-diff", fork, "--", ...specs);
    if (files === undefined) throw new UsageError(`git cannot compare the files with commit ${base}`, "work");
    return files.split("\0").filter(Boolean);
  };
  const before = (path: string): string | undefined => git("show", `${fork}:${path}`);
  const after = (path: string): string | undefined => {
    const file = join(root, path);
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  };

  const found: Phrase[] = [];
  for (const [what, names] of Object.entries(decisiveFiles)) {
    for (const path of changed(names)) found.push(phrase`${word(path)} changes ${ours(what)}`);
  }
  for (const path of changed(lockFiles)) {
    const known = new Set(sourcesIn(before(path) ?? ""));
    const strange = known.size === 0 ? [] : sourcesIn(after(path) ?? "").filter((host) => !known.has(host));
    for (const host of new Set(strange))
      found.push(phrase`${word(path)} takes packages from ${strong("another host")}: ${word(host)}`);
  }
  const parts = [
    { names: projectFileNames, keys: decisiveParts.project },
    { names: stackFileNames(folder, shortName(stack.name)), keys: decisiveParts.stack },
  ];
  for (const { names, keys } of parts) {
    for (const name of names) {
      const path = prefix + name;
      const [old, now] = [before(path), after(path)].map((text) => decisivePartsOf(name, text ?? "", keys));
      for (const key of new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])) {
        if (!sameValue(old?.[key], now?.[key])) found.push(phrase`${word(path)} changes ${word(key)}`);
      }
    }
  }
  return found;
}

/** The decisive parts of a project file or a stack file by name. A file that cannot be parsed is reported by the engine. */
function decisivePartsOf(file: string, text: string, keys: readonly string[]): Record<string, unknown> {
  let content: unknown;
  try {
    content = parseProjectFile(file, text);
  } catch {
    return {};
  }
  if (!isObject(content)) return {};
  const config = objectOf(content["config"]);
  const names = [...decisive.map((name) => `endpoint-monitoring:${name}`), "pulumi:disable-default-providers"];
  const pick = (from: Record<string, unknown>, wanted: readonly string[]): [string, unknown][] =>
    wanted.flatMap((key) => (from[key] === undefined ? [] : [[key, from[key]]]));
  return Object.fromEntries([...pick(content, keys), ...pick(config, names)]);
}

/** Hosts from which a lock file takes packages. */
function sourcesIn(lock: string): string[] {
  const found = lock.matchAll(/(?:\bresolved"?:?\s*"?|\btarball:\s*["']?)(?:git\+)?[\w+]+:\/\/(?:[^@/\s"']*@)?([^/\s"'#?]+)/g);
  return [...found].map(([, host = ""]) => host);
}
