import type { Properties } from "./values";

/** A resource that exists: its identifier and its state, which is what the service holds. */
export interface Created {
  id: string;
  state: Properties;
}

/** A resource that was read: with the inputs of a program that declares it as it is. */
export interface Found extends Created {
  inputs: Properties;
  /** When the record was last changed, UTC, where it says so. It changes with every change, so it is no part of the state. */
  modified?: string;
}

/** What one kind does with the service. Every state it returns is what the service answered. */
export interface Handler {
  /** @throws PartialFailure where something exists but not as declared, DuplicateError, and the client's errors */
  create(inputs: Properties): Promise<Created>;
  /**
   * Reads a record. With an empty state (`get`) everything comes from the answer.
   *
   * @returns nothing where the record no longer exists
   */
  read(id: string, state: Properties): Promise<Found | undefined>;
  /** @throws GoneError, PartialFailure and the client's errors */
  update(id: string, state: Properties, inputs: Properties): Promise<Properties>;
  /** Deleting what no longer exists succeeds. */
  delete(id: string, state: Properties): Promise<void>;
  /**
   * Everything in an account group, each as `read` returns it for an empty state. Absent where the service keeps nothing to list.
   *
   * @param accountGroupId undefined is the one of the settings, else the token's own
   */
  list?(accountGroupId: string | undefined): Promise<Found[]>;
  /**
   * Reads as little as shows whether the caller may read such records at all. Absent where nothing is listed.
   *
   * @throws ForbiddenError and the client's other errors
   */
  tryRead?(accountGroupId: string | undefined): Promise<void>;
  /**
   * Asks for an empty change of a record that does not exist: it changes nothing, and a service that checks permissions first
   * refuses it where the caller lacks one. Absent where there is no such request.
   *
   * @throws NotFoundError where the caller may make such changes, ForbiddenError and the client's other errors
   */
  tryWrite?(accountGroupId: string | undefined): Promise<void>;
}

/** Identifier that no record has: identifiers of records are long numbers or UUIDs (shared/api/README.md, Requests and responses). */
export const nowhere = "0";
