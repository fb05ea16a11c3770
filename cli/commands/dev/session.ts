import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { stringOf } from "../../../provider/values";
import { type Emulator, type EmulatorOptions, start } from "../../../emulator";
import { defaults } from "../../../emulator/defaults";
import { isLoopback } from "../../../emulator/measure/targets";
import { type ExitCode } from "../../command";
import { startedOrExplained } from "../emulator/run";
import { PrivateBackend } from "../../../engine/private-backend";
import type { Project } from "../../../engine/project";
import { readStackFile } from "../../../engine/project-file";
import { type Io, ioWith } from "../../../engine/io";
import type { Invocation } from "../../command";
import { readConfiguration } from "../validate/configuration";
import type { SessionConfiguration } from "./configuration";
import { UsageError } from "../../../common/errors";

export interface CommandOutcome {
  readonly code: ExitCode;
  readonly text: string;
}

/** A session of the command `dev`, with an emulator, a backend for one stack, and commands that run against the emulator. */
export class DevSession {
  readonly #interrupts = new Set<(signal: NodeJS.Signals) => void>();

  private constructor(
    private readonly outer: Io,
    readonly emulator: Emulator,
    private readonly env: NodeJS.ProcessEnv,
    private readonly guard: ChildProcess,
    readonly configuration: SessionConfiguration,
    private readonly writeSettings: () => void,
    private readonly invoke: Invocation["invoke"],
  ) {}

  /**
   * @param port port of the emulator, or undefined for the port in the stack's settings
   * @param configuration configuration values for this session only
   * @throws UsageError if the stack's base URL is remote, or if the emulator cannot use the port
   */
  static async start(
    project: Project,
    stack: string,
    port: number | undefined,
    configuration: SessionConfiguration,
    invoke: Invocation["invoke"],
  ): Promise<DevSession> {
    const { io, name, folder: projectFolder } = project;
    const selecting = ioWith(io, { env: { ...io.env, PULUMI_STACK: stack } });
    const { values, secrets } = readConfiguration(
      { name, folder: projectFolder, backend: project.backend, io: selecting },
      stack,
    );
    if (secrets.includes("endpoint-monitoring:token")) {
      throw new UsageError(
        `The token of stack ${stack} is encrypted, so the emulator cannot use the token. Use --stack to select a stack without an encrypted token`,
        "work",
      );
    }
    const token = values["endpoint-monitoring:token"] ?? defaults.token;
    const salt = stringOf(readStackFile(projectFolder, stack)["encryptionsalt"]);
    const address = { ...addressIn(values, stack), ...(port !== undefined && { port }) };
    const emulator = await startedOrExplained(start({ speed: 60, rateLimit: "off", ...address, token }));
    if (port !== undefined) configuration.set("endpoint-monitoring:baseUrl", emulator.url);
    const backend = await PrivateBackend.create();
    const { folder, settingsFile } = backend;
    // The guard is in a separate process group, which does not receive signals from the terminal.
    const guard = spawn(process.execPath, [join(__dirname, "guard.js"), folder], {
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    guard.stdin?.on("error", () => undefined);
    const manifest = { time: "0001-01-01T00:00:00Z", magic: "", version: "" };
    backend.writeStack(`organization/${name}/${stack}`, { manifest }, undefined, salt);
    // If the settings file lacks an encryption salt, the engine adds one. To keep the project's settings file unchanged, the session uses a
    // copy.
    const writeSettings = (): void => backend.writeSettings(configuration.addTo(readStackFile(projectFolder, stack)), salt);
    // The engine's caches are in the session's folder, and the session deletes this folder at its end.
    const temporary = join(folder, "tmp");
    mkdirSync(temporary);
    const env: NodeJS.ProcessEnv = {
      ...io.env,
      // A stack with encrypted settings needs the passphrase in the user's environment.
      ...(salt === undefined ? backend.env : backend.address),
      PULUMI_STACK: stack,
      PULUMI_OPTION_CONFIG_FILE: settingsFile,
      TMPDIR: temporary,
      ENDPOINT_MONITORING_BASE_URL: emulator.url,
      ENDPOINT_MONITORING_TOKEN: token,
      ENDPOINT_MONITORING_READ_LAG: "0",
      ENDPOINT_MONITORING_CLIENT_ID: undefined,
      ENDPOINT_MONITORING_CLIENT_SECRET: undefined,
      ENDPOINT_MONITORING_SERVICE_BEARER_TOKEN: undefined,
      // The list of allowed hosts also restricts explicit providers in the program.
      ENDPOINT_MONITORING_ALLOWED_HOSTS: new URL(emulator.url).host,
    };
    return new DevSession(io, emulator, env, guard, configuration, writeSettings, invoke);
  }

  /** Runs an `endpoint-monitoring` command. The result contains progress messages only if the command fails. */
  async run(...line: string[]): Promise<CommandOutcome> {
    const [printed, progress]: [string[], string[]] = [[], []];
    const { isTTY, columns } = this.outer.stdout;
    const stdout = { write: (text: string) => printed.push(text), isTTY: isTTY ?? false, columns: columns ?? 0 };
    const stderr = { write: (text: string) => progress.push(text) };
    const code = await this.invoke(line, ioWith(this.io(), { stdout, stderr }));
    return { code, text: [...printed, ...(code === 1 ? progress : [])].join("") };
  }

  /** Writes the current stack settings, and returns the streams and environment for the next command. */
  io(): Io {
    this.writeSettings();
    return {
      stdout: this.outer.stdout,
      stderr: this.outer.stderr,
      stdin: Readable.from([]),
      env: this.env,
      cwd: this.outer.cwd,
      onInterrupt: (listener) => {
        this.#interrupts.add(listener);
        return () => void this.#interrupts.delete(listener);
      },
    };
  }

  /** Interrupts the running command as Ctrl+C does, and does not wait for the command to exit. */
  interrupt(): void {
    for (const listener of this.#interrupts) listener("SIGINT");
  }

  async show(title: string, text: string): Promise<void> {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ title, text });
    await fetch(`${this.emulator.url}/_emulator/program`, { method: "PUT", headers, body });
  }

  async end(): Promise<void> {
    await this.emulator.close();
    const ended = new Promise((resolve) => this.guard.once("exit", resolve));
    this.guard.stdin?.end();
    if (this.guard.exitCode === null && this.guard.signalCode === null) await ended;
  }
}

/**
 * Returns the host and the port of a stack's base URL. Without a base URL, the emulator uses a free port.
 * @throws UsageError if the base URL is remote
 */
function addressIn(values: Readonly<Record<string, string>>, stack: string): Pick<EmulatorOptions, "host" | "port"> {
  const baseUrl = values["endpoint-monitoring:baseUrl"];
  if (baseUrl === undefined) return {};
  const { protocol, hostname, port, origin = "not a URL" } = URL.parse(baseUrl) ?? {};
  if (protocol === "http:" && hostname !== undefined && (hostname === "localhost" || isLoopback(hostname))) {
    return { host: hostname, port: Number(port || 80) };
  }
  throw new UsageError(
    `The base URL of stack ${stack} is ${origin}, but \`dev\` uses only an emulator on this machine. ` +
      "Use --stack to select a stack without a remote base URL",
    "work",
  );
}
