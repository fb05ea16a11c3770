import type { Ask } from "./ask";

/** A JSON value: facts are compared as JSON. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly (Json | undefined)[]
  | { readonly [name: string]: Json | undefined };

/** One thing that the emulator assumes of the service. */
interface Assumption {
  /** Names the row in reports, recordings and `--only`; never used for another one. */
  readonly id: string;
  readonly topic: string;
  /** The behavior of the emulator, for readers. */
  readonly emulator: string;
  /** The known facts about the service. */
  readonly known: string;
  /** Where the emulator is to be changed if the service does something else. */
  readonly file: string;
  /** Whether emulator/DIFFERENCES.md has it; other rows ask for a limit, a default or a text. @defaultValue `true` */
  readonly listed?: boolean;
}

/** A row that can be asked from outside. */
export interface AskedRow extends Assumption {
  /** Asks the service, and returns what is to be compared of its answers. @throws CannotAsk where something it needs is missing */
  probe(ask: Ask): Promise<Json>;
  /** The emulator's answer to `probe`. */
  readonly answers: Json;
}

/** A row that cannot be asked from outside. */
export interface UnaskedRow extends Assumption {
  /** The reason why it cannot be asked. */
  readonly reason: string;
}

export type Row = AskedRow | UnaskedRow;

export const isAsked = (row: Row): row is AskedRow => "probe" in row;

/** Thrown if a probe lacks something: an agent, results, a second account group, a permission, or requests. */
export class CannotAsk extends Error {
  override readonly name = "CannotAsk";
}
