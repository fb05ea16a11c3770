import type { z } from "zod";
import type { Client } from "../api";
import type { Kind, KindDeclaration } from "./kind";
import type { PropertyMap } from "./property";
import type { RecordList } from "./snapshot";
import type { Properties } from "./values";

/** The requests for records of a resource type. Without an account group, a request uses the token's account group. */
export interface RecordRequests<R> {
  /** Lists all records of an account group. Some members of listed records may be missing (see `isComplete`). */
  list(client: Client, accountGroupId: string | undefined): Promise<RecordList<R>>;
  /** Requests a single page of the list, to check whether the caller may list the records. */
  listSome?(client: Client, accountGroupId: string | undefined): Promise<unknown>;
  get(client: Client, id: string, accountGroupId: string | undefined): Promise<R>;
  create(client: Client, body: Properties, accountGroupId: string | undefined): Promise<R>;
  update(client: Client, id: string, body: Properties, accountGroupId: string | undefined): Promise<R>;
  delete(client: Client, id: string, accountGroupId: string | undefined): Promise<void>;
}

/** The declaration of a resource type with records in the service. */
export interface RecordDeclaration<
  M extends PropertyMap = PropertyMap,
  R extends object = object,
  O extends z.ZodRawShape = z.ZodRawShape,
> extends Omit<KindDeclaration<M, O>, "handler" | "origin"> {
  /** A sample id for the documentation, in the service's format. */
  readonly sampleId: string;
  readonly requests: RecordRequests<R>;
  idOf(record: R): string;
  outputsOf?(record: R): Properties;
  /** Returns the UTC time of the record's last change, if the service returns this time. */
  modifiedAt?(record: R): string | undefined;
  /** Returns the UTC time of the record's creation, if the service returns this time. */
  createdAt?(record: R): string | undefined;
  /** Whether a listed record has all members that a get request returns. By default, listed records are complete. */
  isComplete?(record: R): boolean;
}

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
