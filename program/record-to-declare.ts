import { type Properties } from "../provider/values";
import type { AcceptedResource } from "./acceptance";
import type { Declaration } from "./declarations";
import { type ImportedKind } from "../provider/imported-kinds";

/** The treatment of a record by an import. */
export type ItemStatus =
  /** Declared in a file of its kind, and imported. */
  | "new"
  /** Declared by the program already, and imported. */
  | "declared"
  /** In the state of the stack already. */
  | "managed"
  /** In the state of another stack of the project. */
  | "elsewhere"
  | "excluded"
  /** No declaration expresses it. */
  | "inexpressible";

/** A record of an import, with its declaration in the program. */
export interface RecordToDeclare {
  readonly of: ImportedKind;
  readonly id: string;
  readonly status: ItemStatus;
  /** Name of its resource. */
  readonly name: string;
  /** Name of the constant that holds it. */
  readonly variable?: string | undefined;
  /** Path of the file that declares it, now or after the import. */
  readonly path?: string;
  /** Its declaration in the present program. */
  readonly declaration?: Declaration;
  /** The resource that the next update would create for it. */
  readonly declared?: unknown;
  /** Its properties as a declaration has them. Absent if the program declares it already. */
  readonly expressed?: { readonly declared: Properties };
  /** Properties that its declaration reads from the configuration, with their keys. */
  readonly secrets: readonly { readonly property: string; readonly key: string }[];
  /** Alert rules and streams that name it. */
  readonly namedBy?: readonly { readonly by: string; readonly id: string; readonly name: string }[];
}

/** Returns the name of a record that the program refers to by its id only. */
export type RecordNameOf = (kindName: string, id: string) => string | undefined;

/** A resource of the stack that declarations can refer to. */
export type ReferableResource = Pick<AcceptedResource, "kindName" | "kind" | "id" | "name">;

/** A file of the program after the import. */
export interface GeneratedFile {
  readonly path: string;
  /** The present text. Absent for a new file. */
  readonly before: string | undefined;
  readonly text: string;
  readonly added: number;
}
