import { validateHeaderName, validateHeaderValue } from "node:http";
import { z } from "zod";
import { type Fault, faultKinds } from "./fault";
import { Problem } from "./problem";

export type { Fault } from "./fault";

/** Maximum delay of a Node.js timer, in milliseconds (about 24 days). */
const maxWaitMs = 2 ** 31 - 1;
const wait = z.number().min(0).max(maxWaitMs);

/** A fault in the format of `POST /_emulator/faults`. */
export const fault = z.strictObject({
  operation: z.string().optional(),
  method: z.string().toUpperCase().optional(),
  kind: z.enum(faultKinds),
  n: z.number().int().min(1).default(1),
  status: z.number().int().min(200).max(599).default(503),
  ms: wait.optional(),
  after: z.boolean().default(false),
  to: z.url().default("http://elsewhere.invalid"),
  storedAfterMs: wait.optional(),
  body: z.unknown().optional(),
  headers: z.record(z.string(), z.string()).superRefine(requireHeaders).default({}),
});
export type PreparedFault = z.output<typeof fault>;

function requireHeaders(headers: Record<string, string>, context: z.RefinementCtx<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      context.addIssue({
        code: "custom",
        path: [name],
        message: "is not a valid header: its name or value has a character that HTTP does not allow",
      });
    }
  }
}

export type PendingFault = PreparedFault & { readonly id: string };

export class Faults {
  #pending: PendingFault[] = [];
  #next = 1;

  add(faults: readonly Fault[]): void {
    for (const added of faults) {
      this.#pending.push({ ...fault.parse(added), id: String(this.#next) });
      this.#next += 1;
    }
  }

  pending(): readonly PendingFault[] {
    return this.#pending;
  }

  /** @returns whether a pending fault had this id */
  drop(id: string): boolean {
    const before = this.#pending.length;
    this.#pending = this.#pending.filter((pending) => pending.id !== id);
    return this.#pending.length < before;
  }

  clear(): void {
    this.#pending = [];
  }

  /** A fault in the request header `x-emulator-fault` takes precedence over pending faults. */
  take(operation: string, method: string, header: string | undefined): PreparedFault | undefined {
    if (header !== undefined) return fromHeader(header);
    const match = this.#pending.find(
      (pending) => (pending.operation ?? operation) === operation && (pending.method ?? method) === method,
    );
    if (!match) return undefined;
    match.n -= 1;
    if (match.n === 0) this.#pending = this.#pending.filter((pending) => pending !== match);
    return match;
  }
}

/** Reads a fault from a header such as `latency=500`, `status=503` or `drop-after`. */
function fromHeader(header: string): PreparedFault {
  const [kind, value] = header.split("=");
  const number = value === undefined ? undefined : Number(value);
  const parsed = fault.safeParse({ kind, ...(kind === "status" ? { status: number } : { ms: number }) });
  if (parsed.success) return parsed.data;
  throw new Problem(
    400,
    `x-emulator-fault: "${header}" is not one of ${faultKinds.join(", ")}, followed by "=" and a number if it takes a number (milliseconds up to ${maxWaitMs}, or a status from 200 to 599)`,
  );
}
