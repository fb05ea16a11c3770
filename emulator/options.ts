import { isIP } from "node:net";
import { inspect } from "node:util";
import { z } from "zod";
import { licenseType } from "../api/schemas";
import type { ProxyRecord } from "../api/generated/proxies";
import { defaults } from "./defaults";
import { fault } from "./faults";
import { parseAllowedTarget, withoutBrackets } from "./measure/targets";
import type { EmulatorOptions, EmulatorSettings } from "./settings";
import { valid } from "./valid";
import { inOurWords } from "./wording";

const whole = (min: number, max?: number) => (max === undefined ? z.int().min(min) : z.int().min(min).max(max));
const text = z.string().min(1);
const callback = <F extends (...args: never) => unknown>() => z.custom<F>((value) => typeof value === "function");

const options = z.strictObject({
  port: whole(0, 65_535).default(defaults.port),
  host: z.string().default(defaults.host),
  dataFile: z.string().optional(),
  token: z.string().regex(/^\S+$/, "must not be empty or contain spaces").default(defaults.token),
  clientId: text.default(defaults.clientId),
  clientSecret: text.default(defaults.clientSecret),
  tokenLifetimeSeconds: whole(1).default(defaults.tokenLifetimeSeconds),
  rateLimit: z.union([z.literal("off"), whole(1)], "must be off, or a whole number of at least 1").default(defaults.rateLimit),
  uniqueTestNames: z.boolean().default(defaults.uniqueTestNames),
  pageSize: whole(1).default(defaults.pageSize),
  agents: whole(0, 100_000).default(defaults.agents),
  nights: z.boolean().default(defaults.nights),
  transferDelayMs: whole(0).default(defaults.transferDelayMs),
  licenses: z.partialRecord(licenseType, whole(0)).default({}),
  speed: whole(1, 60).default(defaults.speed),
  allowTargets: z.array(z.string().transform(allowedTarget)).default([]),
  allowHosts: z
    .array(z.string().refine(isHost, "must be a host name or an address, without scheme, port and path"))
    .default([]),
  urlPort: z.enum(["added", "as-sent"]).default(defaults.urlPort),
  proxies: z.array(z.custom<ProxyRecord>((value) => typeof value === "object" && value !== null)).default([]),
  faults: z.array(fault).default([]),
  now: callback<EmulatorSettings["now"]>().default(() => Date.now),
  onError: callback<EmulatorSettings["onError"]>().default(() => writeStack),
} satisfies Record<keyof EmulatorOptions, z.ZodType>);

const optionWords = {
  error: (issue: z.core.$ZodRawIssue) => {
    if (issue.code !== "unrecognized_keys") return inOurWords.error(issue);
    const known = (issue.path ?? []).length === 0 ? Object.keys(options.shape) : licenseType.options;
    return `"${issue.keys.join(`", "`)}" is unknown. Expected: ${known.toSorted().join(", ")}`;
  },
};

/** @throws EmulatorError `INVALID_OPTION` with the names of all invalid options */
export function settle(requested: EmulatorOptions): EmulatorSettings {
  return valid("An option", options, requested, optionWords);
}

function isHost(host: string): boolean {
  return /^[^\s:/?#@]+$/.test(host) || isIP(withoutBrackets(host)) !== 0;
}

function allowedTarget(target: string, context: z.RefinementCtx<string>) {
  const allowed = parseAllowedTarget(target);
  if (allowed) return allowed;
  context.addIssue("must be a host, or host:port");
  return z.NEVER;
}

function writeStack(error: unknown, activity: string): void {
  process.stderr.write(`endpoint-monitoring emulator: ${activity} failed\n${inspect(error)}\n`);
}
