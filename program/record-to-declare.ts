import { type Properties } from "../provider/values";
import type { AcceptedResource } from "./acceptance";
import type { Declaration } from "./declarations";
import { type ImportedKind } from "../provider/imported-kinds";

/**
 * How an import treats a record: `declared` records are in the program, `managed` records are in the stack's state, and `elsewhere` means
 * the state of another stack. No declaration can produce an `inexpressible` record.
 */
export type ItemStatus =
  | "new"
  | "declared"
  | "managed"
  | "elsewhere"
  | "excluded"
  | "inexpressible";

/** A record of an import, with its declaration in the program. */
export interface RecordToDeclare {
  readonly of: ImportedKind;
  readonly id: string;
  readonly status: ItemStatus;
  readonly name: string;
  readonly variable?: string | undefined;
  /** Path of the file that declares the record, now or after the import. */
  readonly path?: string;
  /** The record's declaration in the existing program. */
  readonly declaration?: Declaration;
  /** The resource that the next update would create for the record. */
  readonly declared?: unknown;
  /** The record's properties in a new declaration. */
  readonly expressed?: { readonly declared: Properties };
  /** Properties that the declaration reads from the configuration, with their configuration keys. */
  readonly secrets: readonly { readonly property: string; readonly key: string }[];
}

/** Returns the name of a record that the program can refer to only by the record's id. */
export type RecordNameOf = (kindName: string, id: string) => string | undefined;

/** A resource of the stack that declarations can refer to. */
export type ReferableResource = Pick<AcceptedResource, "kindName" | "kind" | "id" | "name">;

/** A file of the program after the import. */
export interface GeneratedFile {
  readonly path: string;
  /** The text before the import. A new file has no text before the import. */
  readonly before: string | undefined;
  readonly text: string;
  readonly added: number;
}
