import {
  type Answer,
  type Client,
  readSettings,
  type SettingName,
  type Settings,
  settings as settingNames,
  type Wait,
} from "../api";
import { allowedHostsIn, allowedHostsVariable } from "../api/allowed-hosts";
import { Session } from "../provider/session";
import { isObject } from "../provider/values";
import { isRehearsal } from "../api/rehearsal";
import { closeAtEnd, type Io } from "./io";
import type { Project } from "./project";
import { hostsInState } from "./provider-inputs";
import { type EngineRun, jsonOf, type RunOptions } from "./run";
import { UsageError } from "../common/errors";
import { type ExportedState, isState, heldStateIn, type HeldState, type ManagedResource, managedAmong } from "./state";

/** An operation in the engine's history. `startTime` and `endTime` have a precision of one second. */
export interface Update {
  startTime: string;
  endTime?: string;
  kind: string;
  result: string;
}

/** The output of `pulumi config --json --show-secrets`, with configuration values by full key. */
export type Configuration = Record<string, { value?: string; secret?: boolean }>;

const historyPageSize = 20;
/** The engine's commands that start provider processes. */
const startsProviders: ReadonlySet<string> = new Set(["preview", "up", "refresh", "destroy", "import"]);
const changesState: ReadonlySet<string> = new Set(["up", "refresh", "destroy", "import", "state"]);

export class ProjectStack {
  #configuration: Promise<Configuration> | undefined;
  #exported: Promise<ExportedState> | undefined;
  #heldState: Promise<HeldState> | undefined;
  #allowed: Promise<readonly string[]> | undefined;

  constructor(
    readonly project: Project,
    readonly name: string,
  ) {}

  /**
   * Opens a session with the stack's settings. The stack's configuration takes precedence over the environment.
   *
   * @throws ConfigurationError
   */
  async session(): Promise<Session> {
    return openSession(this.project.io, await this.configured());
  }

  /**
   * Returns the package's settings in the stack's configuration.
   *
   * @throws UsageError if the configuration cannot be read or decrypted
   */
  async configured(): Promise<(setting: SettingName) => string | undefined> {
    const config = await this.wholeConfiguration();
    return (setting) => config[`endpoint-monitoring:${setting}`]?.value;
  }

  /** Returns the program's own configuration with decrypted secrets. The configuration keys omit the project's namespace. */
  async configuration(): Promise<Record<string, string>> {
    const config = await this.wholeConfiguration();
    const namespace = `${this.project.name}:`;
    return Object.fromEntries(
      Object.entries(config).flatMap(([key, { value }]) =>
        key.startsWith(namespace) && value !== undefined ? [[key.slice(namespace.length), value]] : [],
      ),
    );
  }

  /** Returns the resources of this package in the stack's state, with decrypted secrets. */
  async managed(): Promise<ManagedResource[]> {
    return managedAmong(this.name, (await this.heldState()).resources);
  }

  /**
   * Returns the stack's state with decrypted secrets. The first call of `heldState` exports the state. After the engine has changed the
   * state, the next call exports it again.
   *
   * @throws UsageError if the state cannot be read or decrypted
   */
  heldState(): Promise<HeldState> {
    return (this.#heldState ??= this.exported().then(heldStateIn));
  }

  /** @throws UsageError */
  exported(): Promise<ExportedState> {
    return (this.#exported ??= this.#export(["--stack", this.name]));
  }

  async #export(ofStack: readonly string[]): Promise<ExportedState> {
    return jsonOf("Pulumi", await this.project.run(["stack", "export", "--show-secrets", ...ofStack]), isState);
  }

  /**
   * Reads the state and the configuration of a stack that may not exist.
   *
   * @param isSelected whether the stack must be the stack that `pulumi stack select` selected
   * @returns whether the stack exists
   */
  async opens(isSelected: boolean): Promise<boolean> {
    const exported = this.#export(isSelected ? [] : ["--stack", this.name]);
    this.wholeConfiguration().catch(() => undefined);
    try {
      this.#exported = Promise.resolve(await exported);
      return !isSelected || isOfStack((await this.heldState()).resources, this.project.name, this.name);
    } catch (error) {
      if (error instanceof UsageError) return false;
      throw error;
    }
  }

  /**
   * Returns the hosts that provider processes may send requests to. If the environment contains no list of hosts, the hosts
   * in the stack's settings and state are allowed. Returns undefined if every host is allowed.
   */
  async allowedHosts(): Promise<readonly string[] | undefined> {
    const { env } = this.project.io;
    if (env[allowedHostsVariable] !== undefined || isRehearsal(env)) return allowedHostsIn(env);
    return (this.#allowed ??= this.#knownHosts());
  }

  async #knownHosts(): Promise<string[]> {
    // Errors are ignored, because the engine later reports that the settings or the state cannot be read.
    const [configured, heldState] = await Promise.all([
      this.configured().catch(() => undefined),
      this.heldState().catch(() => undefined),
    ]);
    const urls = [configured?.("baseUrl"), this.project.io.env[settingNames.baseUrl.env]];
    const hosts = urls.flatMap((url) => (url ? (URL.parse(url)?.host ?? []) : []));
    return [...new Set([...hosts, ...hostsInState(heldState?.resources ?? [])])].filter(Boolean);
  }

  /** Returns the last `pulumi up`, even if the update failed, or undefined before the first `pulumi up`. */
  async lastUpdate(): Promise<Update | undefined> {
    // The last update may be on a later page, because the history may contain many newer refreshes.
    for (let page = 1; ; page += 1) {
      const run = await this.run(["stack", "history", "--json", "--page-size", `${historyPageSize}`, "--page", `${page}`]);
      const updates = jsonOf(`The history of stack ${this.name} cannot be read`, run, isHistory);
      const update = updates.find(({ kind }) => kind === "update");
      if (update || updates.length < historyPageSize) return update;
    }
  }

  /** Runs the engine on this stack. Provider processes may send requests only to the allowed hosts. */
  async run(args: readonly string[], options: RunOptions = {}): Promise<EngineRun> {
    const allowed = startsProviders.has(args[0] ?? "") ? await this.allowedHosts() : undefined;
    // If no host is allowed, the variable contains a comma, because an empty variable would allow every host.
    const env = allowed && { [allowedHostsVariable]: allowed.join(",") || "," };
    try {
      return await this.project.run([...args, "--stack", this.name], { ...options, env: { ...env, ...options.env } });
    } finally {
      if (changesState.has(args[0] ?? "")) this.#exported = this.#heldState = undefined;
    }
  }

  /**
   * Returns the stack's configuration by full key, with decrypted secrets. The configuration is read only once, so the result
   * does not contain changes that the command makes later.
   *
   * @throws UsageError if the configuration cannot be read or decrypted
   */
  wholeConfiguration(): Promise<Configuration> {
    return (this.#configuration ??= this.run(["config", "--json", "--show-secrets"]).then((run) =>
      jsonOf("Pulumi", run, isConfiguration),
    ));
  }
}

/**
 * Opens a session for a command. An interrupt aborts the session's requests. At the end of the command, the session closes its
 * connections.
 *
 * @param configured function that returns a stack setting, which takes precedence over the environment
 * @throws ConfigurationError
 */
export function openSession(io: Io, configured: (setting: SettingName) => string | undefined = () => undefined): Session {
  return sessionOf(io, readSettings(configured, io.env));
}

export function sessionOf(io: Io, settings: Settings, limit?: (client: Client) => Client): Session {
  const client = {
    ...settings.client,
    signal: io.signal,
    onWait: (wait: Wait) => io.watcher?.wait(wait),
    onAnswer: (answer: Answer) => {
      settings.client.onAnswer?.(answer);
      io.watcher?.answer();
    },
  };
  const session = new Session({ ...settings, client }, limit);
  closeAtEnd(io, () => session.client.close());
  return session;
}

/** Returns `dev` for `organization/project/dev`. */
export function shortName(stack: string): string {
  return stack.split("/").at(-1) ?? stack;
}

function isOfStack([first]: HeldState["resources"], project: string, stack: string): boolean {
  return first?.urn.startsWith(`urn:pulumi:${shortName(stack)}::${project}::`) === true;
}

function isConfiguration(printed: unknown): printed is Configuration {
  return isObject(printed) && Object.values(printed).every(isObject);
}

function isHistory(printed: unknown): printed is Update[] {
  return Array.isArray(printed) && printed.every(isObject);
}
