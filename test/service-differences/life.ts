/**
 * A program's lifecycle with a service that varies, and its result after the variation ends. Each step succeeds or fails with a message.
 * Then a refresh and a destroy succeed, and no record remains.
 */
import { operations } from "../../api";
import type { Emulator } from "../../emulator";
import { start, vary } from "../support/variations/start";
import type { Variation } from "../support/variations";
import { EngineModel, type Program } from "../provider/engine-model";
import type { Front } from "../provider/engine-processes";
import { call as callEmulator } from "../support/call";

/** Names and targets that services often normalize: a leading space, a composed character, capitals, a default port. */
const names = {
  label: " Bu\u0308ro & Lager  ",
  network: " VPN  & Office ",
  http: "Site & Shop of the company",
  dynamic: " Calls ",
};

export const secret = "pass-w0rd-of-the-probe";

export function declared(changed: boolean, replaced: boolean): Program {
  const byLabel = { agentSelectorType: "agent-labels", endpointAgentLabels: [{ $id: "label" }] };
  return {
    label: {
      kind: "label",
      args: {
        name: changed ? `${names.label}2 ` : names.label,
        color: "#AbCdEf",
        matchType: "or",
        filters: [
          { key: "platform", values: ["Windows", "Mac", "Mac"] },
          { key: "hostname", mode: "not-in", values: ["b-*", "a-*"] },
        ],
      },
    },
    tag: {
      kind: "endpointAgentTag",
      args: {
        key: " Team ",
        value: "Emea",
        description: changed ? " Of Europe " : " Of EMEA ",
        matchType: "and",
        filters: [{ key: "hostname", values: ["X-1"] }],
      },
    },
    network: {
      kind: "agentToServerTest",
      args: {
        testName: names.network,
        server: "VPN.Example.com",
        isEnabled: changed,
        maxMachines: replaced ? 7_000 : 6_000,
        ...byLabel,
      },
    },
    http: {
      kind: "httpServerTest",
      args: {
        testName: changed ? `${names.http} 2` : names.http,
        url: "https://WWW.Example.com",
        authType: "basic",
        username: "probe",
        password: secret,
      },
    },
    page: { kind: "httpServerTest", args: { testName: "Page", url: "http://www.example.com:80/Health?full=1", interval: 300 } },
    dynamic: {
      kind: "dynamicTest",
      args: { testName: names.dynamic, application: "webex", protocol: changed ? "tcp" : "icmp", maxMachines: 120_000 },
    },
  };
}

/** The outcome of one step: undefined for a success. */
export type Outcomes = Record<(typeof steps)[number], string | undefined>;

export const steps = ["up", "no-op", "refresh", "update", "replace", "destroy"] as const;

/** The result of a lifecycle. */
export interface Life {
  outcomes: Outcomes;
  /** Changes of an `up` with the unchanged program. */
  perpetual: string[];
  /** Names that two records had at the same time. */
  doubled: string[];
  /** Steps that failed after the end of the variation. */
  stuck: string[];
  /** Records at the end. */
  remaining: string[];
  /** All output and errors. */
  text: string;
}

const collections = ["labels", "tags", "agent-to-server-tests", "http-server-tests", "dynamic-tests"];

export async function control(
  emulator: Emulator,
  path: string,
  body?: object,
): Promise<{ records?: { id: string }[]; body?: unknown }> {
  return callEmulator(emulator.url, body ? "POST" : "GET", `/_emulator/${path}`, body);
}

export async function recordsOf(emulator: Emulator): Promise<{ id: string; name: string }[]> {
  const lists = collections.map(async (collection) => {
    const { records = [] } = await control(emulator, `records/${collection}`);
    return Promise.all(
      records.map(async ({ id }) => {
        const { body } = (await control(emulator, `records/${collection}/${id}`)) as { body: Record<string, string> };
        const name = (body["testName"] ?? body["name"] ?? body["key"] ?? "").trim().normalize("NFC").toLowerCase();
        return { id, name: `${collection} ${name}` };
      }),
    );
  });
  return (await Promise.all(lists)).flat();
}

const messageOf = (error: unknown): string => {
  const reasons = typeof error === "object" && error !== null && "reasons" in error ? JSON.stringify(error.reasons) : "";
  return `${error instanceof Error ? error.message : String(error)} ${reasons}`;
};

/** `createOutcomeTimeout`, and a lag of 3 s, which is the default 60 s in reality. */
export const [timeoutSeconds, lagMs] = ["4", 200];

export async function liveWith({ name, takesTime }: Variation, front: Front): Promise<Life> {
  const program = (changed: boolean, replaced: boolean): Program =>
    Object.fromEntries(Object.entries(declared(changed, replaced)).map(([key, resource]) => [key, { ...resource, front }]));
  const emulator = await start({ rateLimit: "off" });
  try {
    vary(emulator, takesTime ? `${name}=${name === "slow" ? 10 : lagMs}ms` : name);
    // Reads of a service with a delay are behind writes for less than a second.
    const settings = { createOutcomeTimeout: timeoutSeconds, readLag: takesTime ? "1" : "0" };
    const engine = new EngineModel({ emulator }, settings);
    const life: Life = { outcomes: {} as Outcomes, perpetual: [], doubled: [], stuck: [], remaining: [], text: "" };
    const attempt = async (step: string, work: () => Promise<void>): Promise<string | undefined> => {
      const outcome = await work().then(
        () => undefined,
        (error: unknown) => messageOf(error),
      );
      life.text += `${step}: ${outcome ?? "works"}\n`;
      const recordNames = (await recordsOf(emulator)).map((record) => record.name);
      life.doubled.push(...recordNames.filter((record, i) => recordNames.indexOf(record) !== i));
      return outcome;
    };
    const changes = (): string[] => engine.calls.filter((call) => /^(create|update|delete) /.test(call));
    const { outcomes } = life;
    outcomes.up = await attempt("up", () => engine.up(program(false, false)));
    outcomes["no-op"] = await attempt("no-op", () => engine.up(program(false, false)));
    if (outcomes.up === undefined) life.perpetual.push(...changes());
    outcomes.refresh = await attempt("refresh", () => engine.refresh());
    // A refresh that reads old values makes the next update send the declared values. After that, no change is left.
    if (takesTime) await attempt("update after the refresh", () => engine.up(program(false, false)));
    await attempt("no-op after the refresh", () => engine.up(program(false, false)));
    if (outcomes.up === undefined) life.perpetual.push(...changes());
    outcomes.update = await attempt("update", () => engine.up(program(true, false)));
    await attempt("no-op after the update", () => engine.up(program(true, false)));
    if (outcomes.update === undefined) life.perpetual.push(...changes());
    outcomes.replace = await attempt("replace", () => engine.up(program(true, true)));
    // A user deletes a record outside of Pulumi.
    const outside = (await recordsOf(emulator)).find((record) => record.name.startsWith("dynamic-tests"));
    if (outside) await callEmulator(emulator.url, "DELETE", `${operations.dynamicTests.list.path}/${outside.id}`);
    outcomes.destroy = await attempt("destroy", () => engine.destroy());
    vary(emulator);
    for (const [step, work] of [
      ["refresh", () => engine.refresh()],
      ["destroy", () => engine.destroy()],
    ] as const) {
      const outcome = await attempt(`${step} of the service that does not differ`, work);
      if (outcome !== undefined) life.stuck.push(`${step}: ${outcome}`);
    }
    life.remaining = (await recordsOf(emulator)).map((record) => record.name);
    life.text += engine.printed.join("\n");
    return life;
  } finally {
    await emulator.close();
  }
}
