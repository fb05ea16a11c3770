import { type Properties } from "../provider/values";
import type { AcceptedResource } from "./acceptance";
import type { Declaration } from "./declarations";
import { type ImportedKind } from "../provider/imported-kinds";

/**
 * Whether a record needs a declaration.
 *
 * `declared` records are in the program, and `managed` records are in the stack's state. `elsewhere` records are in the state of another
 * stack. A program cannot declare an `inexpressible` record.
 */
export type ItemStatus = "new" | "declared" | "managed" | "elsewhere" | "excluded" | "inexpressible";

export interface RecordToDeclare {
  readonly of: ImportedKind;
  readonly id: string;
  readonly status: ItemStatus;
  readonly name: string;
  readonly variable?: string | undefined;
  /** Path of the file that declares the record, now or after the import. */
  readonly path?: string;
  readonly declaration?: Declaration;
  /** The resource in the program that declares the record. Without the import, the next update would create the resource. */
  readonly declared?: unknown;
  readonly expressed?: { readonly declared: Properties };
  /** Secret properties that the declaration reads from the configuration, with their configuration keys. */
  readonly secrets: readonly { readonly property: string; readonly key: string }[];
}

/** Returns the name of a record for the comment next to its id. */
export type RecordNameOf = (kindName: string, id: string) => string | undefined;

/** A resource in the stack that declarations can refer to. */
export type ReferableResource = Pick<AcceptedResource, "kindName" | "kind" | "id" | "name">;

export interface GeneratedFile {
  readonly path: string;
  /** The text of the file before the import, unless the file is new. */
  readonly before: string | undefined;
  readonly text: string;
  readonly added: number;
}
