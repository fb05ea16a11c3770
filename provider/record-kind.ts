import type { z } from "zod";
import type { Client } from "../api";
import { defineKind, type Kind, type KindDeclaration } from "./kind";
import type { PropertyMap } from "./property";
import { RecordHandler } from "./record-handler";
import type { Properties } from "./values";

/** The requests of the service on one kind of record. `aid` is the account group; undefined is the token's own. */
export interface RecordRequests<R> {
  /** All records of the account group, complete or not (see `isComplete`). */
  list(client: Client, aid: string | undefined): Promise<R[]>;
  /** A few of them, where the service lists in pages: enough to see whether the caller may. */
  listSome?(client: Client, aid: string | undefined): Promise<unknown>;
  /** @throws NotFoundError */
  get(client: Client, id: string, aid: string | undefined): Promise<R>;
  create(client: Client, body: Properties, aid: string | undefined): Promise<R>;
  update(client: Client, id: string, body: Properties, aid: string | undefined): Promise<R>;
  /** @throws NotFoundError */
  delete(client: Client, id: string, aid: string | undefined): Promise<void>;
}

/**
 * What a kind declares whose resources are records of the service.
 *
 * @typeParam R record of the service
 */
export interface RecordDeclaration<
  M extends PropertyMap = PropertyMap,
  R extends object = object,
  O extends z.ZodRawShape = z.ZodRawShape,
> extends Omit<KindDeclaration<M, O>, "handler" | "origin"> {
  readonly requests: RecordRequests<R>;
  /** Identifier of a record. */
  idOf(record: R): string;
  /** The outputs beyond the inputs. */
  outputsOf?(record: R): Properties;
  /** When a record was last changed, UTC; nothing where records do not say. */
  modifiedAt?(record: R): string | undefined;
  /** False where a listed record lacks members that a get would bring. Left out, listed records are complete. */
  isComplete?(record: R): boolean;
}

/** A kind whose resources are records of the service. */
export interface RecordKind<
  M extends PropertyMap = PropertyMap,
  R extends object = object,
  O extends z.ZodRawShape = z.ZodRawShape,
> extends Kind<M, O> {
  readonly requests: RecordRequests<R>;
  idOf(record: R): string;
  outputsOf(record: R): Properties;
  modifiedAt(record: R): string | undefined;
  isComplete(record: R): boolean;
}

/** Declares a kind of record. */
export function recordKind<const M extends PropertyMap, R extends object, const O extends z.ZodRawShape>(
  declaration: RecordDeclaration<M, R, O>,
): RecordKind<M, R, O> {
  const kind: RecordKind<M, R, O> = {
    outputsOf: () => ({}),
    modifiedAt: () => undefined,
    isComplete: () => true,
    ...declaration,
    ...defineKind({ ...declaration, origin: "made", handler: (session) => new RecordHandler(kind, session) }),
  };
  return kind;
}
