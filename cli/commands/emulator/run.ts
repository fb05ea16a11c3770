import { defaults, type Emulator, EmulatorError, type EmulatorOptions, start } from "../../../emulator";
import { resolve } from "node:path";
import { inspect } from "node:util";
import { type ExitCode, wholeNumber, type Invocation } from "../../command";
import type { EmulatorValues } from "./options";
import { type Io, onFirstInterrupt, systemClock } from "../../../engine/io";
import { printable, shellWord } from "../../../common/text";
import { UsageError } from "../../../common/errors";

export async function run(values: EmulatorValues, { out, io }: Invocation): Promise<ExitCode> {
  const settings: EmulatorOptions = {
    port: wholeNumber("port", values.port),
    host: values.host,
    dataFile: values.data && resolve(io.cwd, values.data),
    rateLimit: rateLimitOf(values["rate-limit"]),
    agents: wholeNumber("agents", values.agents),
    licenses: values.licenses === undefined ? undefined : licensesOf(values.licenses),
    speed: wholeNumber("speed", values.speed),
    allowTargets: values["allow-targets"]?.split(",").map((target) => target.trim()),
    uniqueTestNames: values["unique-test-names"],
    token: values.token,
    allowHosts: values["allow-hosts"]?.split(",").map((host) => host.trim()),
    onError: (error, activity) =>
      io.stderr.write(printable(`endpoint-monitoring emulator: ${activity} failed\n${inspect(error)}\n`)),
  };
  out.progress("Starting the emulator", "terminal");
  const emulator = await startedOrExplained(start(settings));
  // The command adds its signal listeners before it prints the URL, because a caller may stop the emulator as soon as the URL appears.
  const stopped = new Promise<void>((stop) => {
    onFirstInterrupt(io, stop);
    onEndOfNpx(io, stop);
  });
  const facts = factsOf(emulator, values.token);
  out.result(facts, greeting(facts));
  await stopped;
  await emulator.close();
  return 0;
}

/**
 * Calls a listener when npx has ended. A signal ends npx and its shell, but not the processes that the shell started.
 *
 * @returns a function that stops the polling
 */
export function onEndOfNpx({ env, clock = systemClock }: Io, listener: () => void): () => void {
  // npx sets the variable `npm_lifecycle_script`, which its child processes inherit.
  if (!/\bendpoint-monitoring\b/.test(env["npm_lifecycle_script"] ?? "")) return () => undefined;
  const shell = process.ppid;
  return clock.every(200, () => {
    // If a parent process ends, the operating system assigns a new parent to its children.
    if (process.ppid !== shell) listener();
  });
}

function rateLimitOf(value: string | undefined): EmulatorOptions["rateLimit"] {
  return value === undefined || value === "off" ? value : wholeNumber("rate-limit", value);
}

/** Parses licenses by type, such as `essentials=100,advantage=20`. @throws UsageError */
export function licensesOf(value: string): NonNullable<EmulatorOptions["licenses"]> {
  return Object.fromEntries(
    value.split(",").map((part) => {
      const [type = "", seats = ""] = part.split("=");
      return [type.trim(), wholeNumber("licenses", seats.trim()) ?? 0];
    }),
  );
}

/**
 * Waits until an emulator has started.
 * @throws UsageError with the reason if the emulator cannot start
 */
export async function startedOrExplained<T>(starting: Promise<T>): Promise<T> {
  try {
    return await starting;
  } catch (error) {
    if (!(error instanceof EmulatorError)) throw error;
    throw new UsageError(error.message, error.code === "INVALID_OPTION" ? "command line" : "work");
  }
}

type Facts = ReturnType<typeof factsOf>;

function factsOf({ url }: Emulator, token: string = defaults.token) {
  const { clientId, clientSecret, readOnlyToken } = defaults;
  return { url, clientId, clientSecret, token, readOnlyToken };
}

function greeting({ url, clientId, clientSecret, token, readOnlyToken }: Facts): string {
  return `Endpoint Monitoring Service (emulator) at ${url}

To use the emulator from another terminal:
  export ENDPOINT_MONITORING_BASE_URL=${url}
  export ENDPOINT_MONITORING_TOKEN=${shellWord(token)}
or, instead of the token:
  export ENDPOINT_MONITORING_CLIENT_ID=${clientId}
  export ENDPOINT_MONITORING_CLIENT_SECRET=${clientSecret}

Open the emulator in a browser: ${url}/
or from a terminal:
  curl -H "Authorization: Bearer ${token}" ${url}/v7/account-groups
  curl ${url}/_emulator/requests

The token ${readOnlyToken} belongs to a user who may only read. Ctrl+C stops the emulator.
`;
}
