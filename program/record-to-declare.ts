import { type Properties } from "../provider/values";
import type { AcceptedResource } from "./acceptance";
import type { Declaration } from "./declarations";
import { type ImportedKind } from "../provider/imported-kinds";

/** How an import treats a record. */
export type ItemStatus =
  /** The import declares it in the file of its kind. */
  | "new"
  /** The program declares it already. */
  | "declared"
  /** It is in the state of the stack already. */
  | "managed"
  /** It is in the state of another stack of the project. */
  | "elsewhere"
  | "excluded"
  /** No declaration can produce it. */
  | "inexpressible";

/** A record of an import, with its declaration in the program. */
export interface RecordToDeclare {
  readonly of: ImportedKind;
  readonly id: string;
  readonly status: ItemStatus;
  /** Resource name. */
  readonly name: string;
  /** Name of the constant with the resource. */
  readonly variable?: string | undefined;
  /** Path of the file that declares it, now or after the import. */
  readonly path?: string;
  /** Its declaration in the existing program. */
  readonly declaration?: Declaration;
  /** The resource that the next update would create for it. */
  readonly declared?: unknown;
  /** Its properties in a declaration. Absent if the program declares it already. */
  readonly expressed?: { readonly declared: Properties };
  /** Properties that its declaration reads from the configuration, with their configuration keys. */
  readonly secrets: readonly { readonly property: string; readonly key: string }[];
}

/** Returns the name of a record that the program can refer to only by its id. */
export type RecordNameOf = (kindName: string, id: string) => string | undefined;

/** A resource of the stack that declarations can refer to. */
export type ReferableResource = Pick<AcceptedResource, "kindName" | "kind" | "id" | "name">;

/** A file of the program after the import. */
export interface GeneratedFile {
  readonly path: string;
  /** The text before the import. Absent for a new file. */
  readonly before: string | undefined;
  readonly text: string;
  readonly added: number;
}
