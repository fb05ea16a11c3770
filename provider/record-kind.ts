import type { z } from "zod";
import type { Client } from "../api";
import type { Kind, KindDeclaration } from "./kind";
import type { PropertyMap } from "./property";
import type { RecordList } from "./snapshot";
import type { Properties } from "./values";

/** The service's requests for one kind of record. Without an account group, they use the token's own. */
export interface RecordRequests<R> {
  /** Lists all records of the account group. Listed records may be incomplete (see `isComplete`). */
  list(client: Client, accountGroupId: string | undefined): Promise<RecordList<R>>;
  /** Lists a few records, if the service lists in pages: enough to check whether the caller may list them. */
  listSome?(client: Client, accountGroupId: string | undefined): Promise<unknown>;
  /** @throws NotFoundError */
  get(client: Client, id: string, accountGroupId: string | undefined): Promise<R>;
  create(client: Client, body: Properties, accountGroupId: string | undefined): Promise<R>;
  update(client: Client, id: string, body: Properties, accountGroupId: string | undefined): Promise<R>;
  /** @throws NotFoundError */
  delete(client: Client, id: string, accountGroupId: string | undefined): Promise<void>;
}

/**
 * The declaration of a kind with records in the service.
 *
 * @typeParam R record of the service
 */
export interface RecordDeclaration<
  M extends PropertyMap = PropertyMap,
  R extends object = object,
  O extends z.ZodRawShape = z.ZodRawShape,
> extends Omit<KindDeclaration<M, O>, "handler" | "origin"> {
  /** A sample identifier in the service's format, for documentation. */
  readonly sampleId: string;
  readonly requests: RecordRequests<R>;
  /** Returns the identifier of a record. */
  idOf(record: R): string;
  /** Returns the outputs that are not inputs. */
  outputsOf?(record: R): Properties;
  /** Returns the UTC time of a record's last change, if the record has one. */
  modifiedAt?(record: R): string | undefined;
  /** Returns the UTC time of a record's creation, if the record has one. */
  createdAt?(record: R): string | undefined;
  /** False if a listed record lacks members that a get returns. By default, listed records are complete. */
  isComplete?(record: R): boolean;
}

/** A kind with records in the service. */
export interface RecordKind<
  M extends PropertyMap = PropertyMap,
  R extends object = object,
  O extends z.ZodRawShape = z.ZodRawShape,
> extends Kind<M, O> {
  readonly sampleId: string;
  readonly requests: RecordRequests<R>;
  idOf(record: R): string;
  outputsOf(record: R): Properties;
  modifiedAt(record: R): string | undefined;
  createdAt?(record: R): string | undefined;
  isComplete(record: R): boolean;
}
