import { defaults, type Emulator, EmulatorError, type EmulatorOptions, start } from "../emulator";
import { type Command, options, UsageError, wholeNumber } from "./command";

const help = `Runs the Endpoint Monitoring Service on this machine, for trying, testing and CI. No account is needed.

Usage: endpoint-monitoring emulator [OPTIONS]

Options:
  --port N              Port to listen on; 0 takes a free one (default 0)
  --host ADDRESS        Address to listen on (default ${defaults.host}); any other than loopback lets others in
  --data FILE           SQLite file that keeps the records (default: memory, gone at the end)
  --rate-limit N|off    Requests a minute (default ${defaults.rateLimit})
  --token-lifetime N    Seconds an issued token lasts (default ${defaults.tokenLifetimeSeconds})
  --agents N            Agents of a new store, 0 to 10000; the first one is this machine (default ${defaults.agents})
  --transfer-delay MS   Milliseconds until a transferred agent arrives (default ${defaults.transferDelayMs})
  --licenses TYPE=N,…   Licences there are, such as advantage=10,essentials=5 (default: no limit)
  --speed N             Run tests N times faster, up to 60: one of every minute runs every second (default ${defaults.speed})
  --allow-targets LIST  Targets off this machine that tests may contact: HOST or HOST:PORT,… (default: none)
  --unique-test-names   Refuse a second test of the same name and kind
  --json                Print address and credentials as JSON
  --help                This text

Example:
  endpoint-monitoring emulator --port 8080 --data emulator.db

It runs until Ctrl+C (SIGINT) or SIGTERM.

Exit codes: 0 ended so, 1 could not start
`;

const known = {
  port: { type: "string" },
  host: { type: "string" },
  data: { type: "string" },
  "rate-limit": { type: "string" },
  "token-lifetime": { type: "string" },
  agents: { type: "string" },
  "transfer-delay": { type: "string" },
  licenses: { type: "string" },
  speed: { type: "string" },
  "allow-targets": { type: "string" },
  "unique-test-names": { type: "boolean" },
} as const;

export const emulatorCommand: Command = {
  name: "emulator",
  summary: "Run the service on this machine, for trying, testing and CI",
  help,
  async run(args, out) {
    const given = options(args, known);
    const emulator = await startOrExplain({
      port: given.port === undefined ? undefined : wholeNumber("port", given.port),
      host: given.host,
      dataFile: given.data,
      rateLimit: rateLimitOf(given["rate-limit"]),
      tokenLifetimeSeconds:
        given["token-lifetime"] === undefined ? undefined : wholeNumber("token-lifetime", given["token-lifetime"]),
      agents: given.agents === undefined ? undefined : wholeNumber("agents", given.agents),
      transferDelayMs:
        given["transfer-delay"] === undefined ? undefined : wholeNumber("transfer-delay", given["transfer-delay"]),
      licenses: given.licenses === undefined ? undefined : licensesOf(given.licenses),
      speed: given.speed === undefined ? undefined : wholeNumber("speed", given.speed),
      allowTargets: given["allow-targets"]?.split(",").map((target) => target.trim()),
      uniqueTestNames: given["unique-test-names"],
    });
    out.result(facts(emulator), greeting(emulator));
    await stopSignal();
    await emulator.close();
    return 0;
  },
};

function rateLimitOf(value: string | undefined): EmulatorOptions["rateLimit"] {
  return value === undefined || value === "off" ? value : wholeNumber("rate-limit", value);
}

function licensesOf(value: string): EmulatorOptions["licenses"] {
  return Object.fromEntries(
    value.split(",").map((part) => {
      const [type = "", seats = ""] = part.split("=");
      return [type.trim(), wholeNumber("licenses", seats.trim())];
    }),
  );
}

async function startOrExplain(settings: EmulatorOptions): Promise<Emulator> {
  try {
    return await start(settings);
  } catch (error) {
    if (!(error instanceof EmulatorError)) throw error;
    throw new UsageError(error.message, error.code === "INVALID_OPTION" ? "command line" : "work");
  }
}

function facts({ url }: Emulator) {
  const { clientId, clientSecret, token, readOnlyToken } = defaults;
  return { url, clientId, clientSecret, token, readOnlyToken };
}

function greeting(emulator: Emulator): string {
  const { url, clientId, clientSecret, token, readOnlyToken } = facts(emulator);
  return `Endpoint Monitoring Service (emulator) at ${url}

To use it from another terminal:
  export ENDPOINT_MONITORING_BASE_URL=${url}
  export ENDPOINT_MONITORING_TOKEN=${token}
or, instead of the token:
  export ENDPOINT_MONITORING_CLIENT_ID=${clientId}
  export ENDPOINT_MONITORING_CLIENT_SECRET=${clientSecret}

Look at it:
  curl -H "Authorization: Bearer ${token}" ${url}/v7/account-groups
  curl ${url}/_emulator/requests

The token ${readOnlyToken} is of a user who may only read. Ctrl+C ends it.
`;
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}
