import { EndpointMonitoringError } from "../api";
import type { Properties } from "./values";
import type { Measurement } from "./measurement";

/**
 * A change that was carried out in part: the object exists and stays in state as `state` says, and the next update tries the
 * rest. `state` is what the service holds, never what was asked.
 */
export class PartialFailure extends EndpointMonitoringError {
  readonly code = "partial";

  constructor(
    readonly id: string,
    readonly state: Properties,
    readonly reasons: readonly string[],
    options?: { cause?: unknown },
  ) {
    super(reasons.join("; "), options);
  }
}

/** The record that a resource stands for no longer exists. */
export class GoneError extends EndpointMonitoringError {
  readonly code = "gone";
}

/** A create found records that already are what it should make, and may not choose between adopting one and making another. */
export class DuplicateError extends EndpointMonitoringError {
  readonly code = "duplicate";

  constructor(
    message: string,
    readonly ids: readonly string[],
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** A create may have been carried out, and the record did not show up for as long as was waited for it. */
export class UnknownOutcomeError extends EndpointMonitoringError {
  readonly code = "unknown-outcome";
  override readonly outcomeUnknown = true;
}

/** A state has properties that are not what its kind has. */
export class DamagedStateError extends EndpointMonitoringError {
  readonly code = "damaged-state";
}

/** Two resources of one program stand for one record, of which each would undo what the other does. */
export class OwnershipError extends EndpointMonitoringError {
  readonly code = "ownership";
}

/** A transfer has not finished in time, or not at all. */
export class TransferError extends EndpointMonitoringError {
  readonly code = "transfer";
}

/** A run measured something else than expected, or nothing in time. */
export class ExpectationError extends EndpointMonitoringError {
  readonly code = "expectation";

  /**
   * @param measured what was measured, of each agent that answered
   * @param broken each expectation that was not met, as a sentence part
   * @param inTime whether as many agents answered as were waited for
   */
  constructor(
    message: string,
    readonly measured: readonly Measurement[],
    readonly broken: readonly string[],
    readonly inTime: boolean,
  ) {
    super(message);
  }
}
