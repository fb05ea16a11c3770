import type { Ask } from "./ask";

/** A JSON value, since facts are compared as JSON. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly (Json | undefined)[]
  | { readonly [name: string]: Json | undefined };

/** An assumption of the emulator about the service. */
interface Assumption {
  /** Id in reports, recordings and `--only`. Never reused for another row. */
  readonly id: string;
  readonly topic: string;
  /** The behavior of the emulator, for readers. */
  readonly emulator: string;
  /** The known facts about the service. */
  readonly known: string;
  /** File of the emulator to change if the service behaves differently. */
  readonly file: string;
  /** Whether emulator/DIFFERENCES.md has the row. Other rows are about a limit, a default or a text. @defaultValue `true` */
  readonly listed?: boolean;
}

/** A row that requests can check. */
export interface AskedRow extends Assumption {
  /** Sends requests to the service, and returns the facts to compare. @throws CannotAsk if a requirement is missing */
  probe(ask: Ask): Promise<Json>;
  /** The emulator's answer to `probe`. */
  readonly answers: Json;
}

/** A row that requests cannot check. */
export interface UnaskedRow extends Assumption {
  /** The reason why requests cannot check it. */
  readonly reason: string;
}

export type Row = AskedRow | UnaskedRow;

export const isAsked = (row: Row): row is AskedRow => "probe" in row;

/** Thrown if a probe lacks something: an agent, results, a second account group, a permission, or requests. */
export class CannotAsk extends Error {
  override readonly name = "CannotAsk";
}
