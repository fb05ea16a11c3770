import type { Ask } from "./ask";

/** A JSON value. Facts are compared as JSON. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly (Json | undefined)[]
  | { readonly [name: string]: Json | undefined };

/** An assumption of the emulator about the service. */
interface Assumption {
  /** Id of the check in reports, in recordings and for `--only`. An id is never reused for another check. */
  readonly id: string;
  readonly topic: string;
  /** Description of the emulator's behavior for readers. */
  readonly emulator: string;
  readonly known: string;
  /** File of the emulator that changes if the service behaves differently. */
  readonly file: string;
  /**
   * Whether emulator/DIFFERENCES.md lists the assumption. Assumptions about limits, defaults and texts are not listed.
   * @defaultValue `true`
   */
  readonly listed?: boolean;
}

/** An assumption that requests can check. */
export interface AskedRow extends Assumption {
  /** Sends requests to the service and returns the facts to compare. @throws CannotAsk if the account lacks a requirement */
  probe(ask: Ask): Promise<Json>;
  readonly answers: Json;
}

/** An assumption that requests cannot check. */
export interface UnaskedRow extends Assumption {
  readonly reason: string;
}

export type Row = AskedRow | UnaskedRow;

export const isAsked = (row: Row): row is AskedRow => "probe" in row;

/**
 * Thrown if the account lacks something that a check needs, such as an agent, results, a second account group, or a permission.
 */
export class CannotAsk extends Error {
  override readonly name = "CannotAsk";
}
