import type { Properties } from "./values";

export interface CreatedResource {
  id: string;
  state: Properties;
}

/** A resource as the service returned it. A program that declares `inputs` matches the record in the service. */
export interface ReadResource extends CreatedResource {
  inputs: Properties;
  /** UTC time of the record's last change, which is not part of the state because every write changes the time. */
  modified?: string;
  /**
   * The reason why the service's response may be outdated. If the service's response may be outdated, `state` is the previous
   * state.
   */
  tooRecent?: string;
}

/** The operations that the provider performs on the records of a resource type. Every returned state comes from the service's response. */
export interface KindHandler {
  /**
   * @param report function that receives a line for each duplicate that another process created at the same time. Without `report`, the
   * handler does not search for duplicates
   * @throws PartialFailure if the record exists but differs from the inputs, DuplicateError, or a request error
   */
  create(inputs: Properties, report?: (line: string) => void): Promise<CreatedResource>;
  /**
   * Reads a record. If the state is empty, every property comes from the service.
   *
   * @returns undefined if the record no longer exists
   */
  read(id: string, state: Properties): Promise<ReadResource | undefined>;
  /** @throws GoneError, PartialFailure, or a request error */
  update(id: string, state: Properties, inputs: Properties): Promise<Properties>;
  /** Deletes a record. The method also succeeds if the record no longer exists. */
  delete(id: string, state: Properties): Promise<void>;
  /**
   * Lists the records of an account group. If the service cannot list a resource type, the handler omits `list`.
   *
   * @param accountGroupId id of the account group. By default, the account group comes from the settings or from the token
   */
  list?(accountGroupId: string | undefined): Promise<ReadResource[]>;
  /**
   * Sends a small request to check whether the caller may read records of this resource type.
   *
   * @throws ForbiddenError, or another request error
   */
  tryRead?(accountGroupId: string | undefined): Promise<void>;
  /**
   * Checks whether the caller may change records of this resource type. The request contains the id of a record that does not exist, so the
   * service changes nothing. The service checks the permission before it looks for the record.
   *
   * @throws NotFoundError if the caller has the permission, ForbiddenError if not, or another request error
   */
  tryWrite?(accountGroupId: string | undefined): Promise<void>;
}

/**
 * An id that the service does not assign to any record. Real ids are long numbers or UUIDs (docs/service/tests.md, Requests
 * and responses).
 */
export const nonexistentId = "0";
