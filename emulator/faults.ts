import { z } from "zod";
import { type Fault, faultKinds as kinds } from "./fault";
import { Problem } from "./problem";

export type { Fault } from "./fault";

/** A fault as `POST /_emulator/faults` takes it; `Fault` has the meaning of its members. */
export const fault = z.strictObject({
  operation: z.string().optional(),
  method: z.string().toUpperCase().optional(),
  kind: z.enum(kinds),
  n: z.number().int().min(1).default(1),
  status: z.number().int().min(200).max(599).default(503),
  ms: z.number().min(0).optional(),
  after: z.boolean().default(false),
  to: z.url().default("http://elsewhere.invalid"),
  storedAfterMs: z.number().min(0).optional(),
  body: z.unknown().optional(),
  headers: z.record(z.string(), z.string()).default({}),
});
export type PreparedFault = z.output<typeof fault>;

/** Faults asked for ahead, in the order they came. */
export class Faults {
  #pending: PreparedFault[] = [];

  add(faults: readonly Fault[]): void {
    this.#pending.push(...faults.map((one) => fault.parse(one)));
  }

  pending(): readonly PreparedFault[] {
    return this.#pending;
  }

  clear(): void {
    this.#pending = [];
  }

  /** The fault of a request: the one its `x-emulator-fault` header names, else the first pending one that matches. */
  take(operation: string, method: string, header: string | undefined): PreparedFault | undefined {
    if (header !== undefined) return fromHeader(header);
    const found = this.#pending.find((one) => (one.operation ?? operation) === operation && (one.method ?? method) === method);
    if (!found) return undefined;
    found.n -= 1;
    if (found.n === 0) this.#pending = this.#pending.filter((one) => one !== found);
    return found;
  }
}

/** `latency=500`, `status=503`, `drop-after`: a fault in one header. */
function fromHeader(header: string): PreparedFault {
  const [kind, value] = header.split("=");
  const number = value === undefined ? undefined : Number(value);
  const parsed = fault.safeParse({ kind, ...(kind === "status" ? { status: number } : { ms: number }) });
  if (parsed.success) return parsed.data;
  throw new Problem(
    400,
    `x-emulator-fault: "${header}" is not one of ${kinds.join(", ")}, with "=" and a number where it takes one`,
  );
}
