import type { z } from "zod";
import type { Client } from "../api";
import type { Kind } from "./kind";
import type { Properties } from "./values";

/** The five operations of the service on one kind of record. `aid` is the account group; undefined is the token's own. */
export interface Operations<R> {
  /** All records of the account group, whole or not (see `RecordKind.isWhole`). */
  list(aid: string | undefined): Promise<R[]>;
  /** A few of them, where the service lists in pages: enough to see whether the caller may. */
  listSome?(aid: string | undefined): Promise<unknown>;
  /** @throws NotFoundError */
  get(id: string, aid: string | undefined): Promise<R>;
  create(body: Properties, aid: string | undefined): Promise<R>;
  update(id: string, body: Properties, aid: string | undefined): Promise<R>;
  /** @throws NotFoundError */
  remove(id: string, aid: string | undefined): Promise<void>;
}

/**
 * A kind whose resources are records of the service: how a record becomes inputs and outputs, and the operations on it.
 *
 * @typeParam R record of the service
 */
export interface RecordKind<
  S extends z.ZodObject = z.ZodObject,
  R extends object = object,
  X extends object = object,
> extends Kind<S, X> {
  readonly controls: readonly ("adopt" & keyof z.output<S>)[];
  /** Properties that only an update takes: a create that declares them otherwise is followed by an update. */
  readonly updateOnly: readonly (keyof z.output<S> & string)[];
  /** Identifier of a record. */
  idOf(record: R): string;
  /** A record in the shape of the inputs. Members the answer leaves out are left out or undefined. */
  toInputs(record: R): Partial<Record<keyof z.output<S>, unknown>>;
  /** Outputs beyond the inputs. */
  toOutputs(record: R): X;
  /** When a record was last changed, UTC; nothing where records do not say. */
  modifiedAt(record: R): string | undefined;
  /** False where a listed record lacks members that a get would bring. */
  isWhole(record: R): boolean;
  operations(client: Client): Operations<R>;
}
