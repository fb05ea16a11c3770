import { type Answer, type Client, readSettings, type SettingName, type Settings, type Wait } from "../../api";
import { Session } from "../../provider/session";
import { isObject } from "../../provider/values";
import { closeAtEnd, type Io } from "../io";
import type { Project } from "./project";
import { type EngineRun, jsonOf, type RunOptions } from "./run";
import { type EngineResource, heldStateIn, type HeldState, type ManagedResource, managedAmong } from "./state";

/** An update as the engine remembers it. Its times are whole seconds, cut off. */
export interface Update {
  startTime: string;
  endTime?: string;
  kind: string;
  result: string;
}

/** The output of `pulumi config --json`, secrets opened, by key. */
export type Configuration = Record<string, { value?: string; secret?: boolean }>;

const historyPageSize = 20;

export class ProjectStack {
  #configuration: Promise<Configuration> | undefined;

  constructor(
    readonly project: Project,
    readonly name: string,
  ) {}

  /** A session with the service with the settings of the stack's configuration, then of the environment. @throws ConfigurationError */
  async session(): Promise<Session> {
    return openSession(this.project.io, await this.configured());
  }

  /** The settings in the stack's configuration. @throws UsageError where it cannot be read, or its secrets not be opened */
  async configured(): Promise<(setting: SettingName) => string | undefined> {
    const config = await this.wholeConfiguration();
    return (setting) => config[`endpoint-monitoring:${setting}`]?.value;
  }

  /** The project's own configuration of this stack, secrets opened, by key. */
  async configuration(): Promise<Record<string, string>> {
    const config = await this.wholeConfiguration();
    const own = `${this.project.name}:`;
    return Object.fromEntries(
      Object.entries(config).flatMap(([key, { value }]) =>
        key.startsWith(own) && value !== undefined ? [[key.slice(own.length), value]] : [],
      ),
    );
  }

  /** One value of the configuration by its whole key, a secret opened; nothing where it has none. @throws UsageError where it cannot be read */
  async setting(key: string): Promise<string | undefined> {
    return (await this.wholeConfiguration())[key]?.value;
  }

  /** The secrets of the configuration, of whatever they are. @throws UsageError where it cannot be read, or they not be opened */
  async secretValues(): Promise<string[]> {
    const config = await this.wholeConfiguration();
    return Object.values(config).flatMap(({ value, secret }) => (secret === true && value !== undefined ? [value] : []));
  }

  /** Our resources in the stack's state, secrets opened. */
  async managed(): Promise<ManagedResource[]> {
    return managedAmong(this.name, await this.resources());
  }

  /** Every resource in the stack's state, as the engine writes it, secrets opened. */
  async resources(): Promise<EngineResource[]> {
    return [...(await this.heldState()).resources];
  }

  /** The stack's state with what earlier updates left undone, secrets opened. */
  async heldState(): Promise<HeldState> {
    return heldStateIn(jsonOf("Pulumi", await this.run(["stack", "export", "--show-secrets"]), isState));
  }

  /** The last `pulumi up`, whether it succeeded or failed; nothing where there was none. */
  async lastUpdate(): Promise<Update | undefined> {
    // Many a refresh may have come after it.
    for (let page = 1; ; page += 1) {
      const run = await this.run(["stack", "history", "--json", "--page-size", `${historyPageSize}`, "--page", `${page}`]);
      const updates = jsonOf(`The history of stack ${this.name} cannot be read`, run, isHistory);
      const found = updates.find(({ kind }) => kind === "update");
      if (found || updates.length < historyPageSize) return found;
    }
  }

  run(args: readonly string[], options?: RunOptions): Promise<EngineRun> {
    return this.project.run([...args, "--stack", this.name], options);
  }

  /**
   * All of the stack's configuration by whole key, secrets opened. It is read once: what this command sets itself it does not read again.
   *
   * @throws UsageError if it cannot be read, or its secrets cannot be opened
   */
  wholeConfiguration(): Promise<Configuration> {
    return (this.#configuration ??= this.run(["config", "--json", "--show-secrets"]).then((run) =>
      jsonOf("Pulumi", run, isConfiguration),
    ));
  }
}

/**
 * A session with the service for a command: an interrupt ends its requests, and when the command ends, no idle connection keeps the process from ending.
 *
 * @param configured settings of a stack, which come before those of the environment
 * @throws ConfigurationError
 */
export function openSession(io: Io, configured: (setting: SettingName) => string | undefined = () => undefined): Session {
  return sessionOf(io, readSettings(configured, io.env));
}

/** The same, with settings that have been read. @param limit see `Session` */
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

/** `dev` of `organization/project/dev`. */
export function shortName(stack: string): string {
  return stack.split("/").at(-1) ?? stack;
}

function isConfiguration(printed: unknown): printed is Configuration {
  return isObject(printed) && Object.values(printed).every(isObject);
}

export function isState(printed: unknown): printed is object {
  return isObject(printed) && "deployment" in printed;
}

function isHistory(printed: unknown): printed is Update[] {
  return Array.isArray(printed) && printed.every(isObject);
}
