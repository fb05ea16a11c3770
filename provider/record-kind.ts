import type { z } from "zod";
import type { Client } from "../api";
import type { Kind, Properties } from "./kind";
import { RecordBehaviour } from "./record-behaviour";
import type { commonInputs } from "./resources/common";

/** The five operations of the service on one kind of record. `aid` is the account group; undefined is the token's own. */
export interface Operations<R> {
  /** All records of the account group, whole or not (see `RecordKind.isWhole`). */
  list(aid: string | undefined): Promise<R[]>;
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
  /** False where a listed record lacks members that a get would bring. */
  isWhole(record: R): boolean;
  operations(client: Client): Operations<R>;
}

/** Declares a kind of record. */
export function recordKind<S extends z.ZodObject<typeof commonInputs>, R extends object, X extends object>(
  declaration: Omit<RecordKind<S, R, X>, "behaviour" | "outputs" | "controls" | "stateOnly">,
): RecordKind<S, R, X> {
  return {
    ...declaration,
    controls: ["adopt"] as RecordKind<S, R, X>["controls"],
    stateOnly: [],
    behaviour(session) {
      return new RecordBehaviour(this, session);
    },
  };
}
