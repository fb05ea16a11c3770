import type { Properties } from "./values";

/** A resource that exists: its identifier, and its state according to the service. */
export interface CreatedResource {
  id: string;
  state: Properties;
}

/** A resource that was read, with the inputs that declare it unchanged. */
export interface ReadResource extends CreatedResource {
  inputs: Properties;
  /** UTC time of the record's last change, if the record has one. Not part of the state, since every change changes it. */
  modified?: string;
  /**
   * The reason why the service's answer proves nothing yet. If present, the resource has its previous state. Absent otherwise.
   */
  tooRecent?: string;
}

/** The operations of one kind on the service. Every returned state comes from the service's answer. */
export interface KindHandler {
  /**
   * @param report takes lines for the resource. If absent, the create does not search for duplicates that another
   * process created at the same time
   * @throws PartialFailure if the object exists but differs from the inputs; DuplicateError; and the client's errors
   */
  create(inputs: Properties, report?: (line: string) => void): Promise<CreatedResource>;
  /**
   * Reads a record. With an empty state (`get`), every property comes from the answer.
   *
   * @returns undefined if the record no longer exists
   */
  read(id: string, state: Properties): Promise<ReadResource | undefined>;
  /** @throws GoneError, PartialFailure and the client's errors */
  update(id: string, state: Properties, inputs: Properties): Promise<Properties>;
  /** Deletes a record. Succeeds if the record no longer exists. */
  delete(id: string, state: Properties): Promise<void>;
  /**
   * Lists the records of an account group, each as `read` returns it for an empty state. Absent if the service cannot list
   * them.
   *
   * @param accountGroupId defaults to the account group in the settings, or to the token's own if none is set
   */
  list?(accountGroupId: string | undefined): Promise<ReadResource[]>;
  /**
   * Checks with a small read request whether the caller may read such records. Absent if the service cannot list such records.
   *
   * @throws ForbiddenError and the client's other errors
   */
  tryRead?(accountGroupId: string | undefined): Promise<void>;
  /**
   * Checks whether the caller may change such records. It requests an empty change of a record that does not exist, so nothing
   * changes. The service checks permissions first, so it refuses a caller without permission. Absent if there is no such
   * request.
   *
   * @throws NotFoundError if the caller may make such changes, ForbiddenError and the client's other errors
   */
  tryWrite?(accountGroupId: string | undefined): Promise<void>;
}

/** An identifier that no record has. Records have long numbers or UUIDs (docs/service/tests.md, Requests and responses). */
export const nonexistentId = "0";
