import { EndpointMonitoringError } from "../api";
import type { Properties } from "./values";
import type { Measurement } from "./measurement";

/**
 * A partially successful change. The resource stays in the state, and the next update tries the remaining changes. `state` contains the
 * service's values instead of the declared values.
 */
export class PartialFailure extends EndpointMonitoringError {
  readonly code = "partial";

  constructor(
    readonly id: string,
    readonly state: Properties,
    readonly reasons: readonly string[],
    private readonly more: { cause?: unknown; withoutValues?: readonly string[] } = {},
  ) {
    super(reasons.join("; "), more);
  }

  withState(state: Properties): PartialFailure {
    return new PartialFailure(this.id, state, this.reasons, this.more);
  }

  /** Returns the failure with reasons that omit values, for a resource with secrets. */
  discreetly(): PartialFailure {
    return new PartialFailure(this.id, this.state, this.more.withoutValues ?? this.reasons, this.more);
  }
}

/**
 * An update would replace a record only because a program cannot declare the value that the service returned. The replacement
 * requires the user's consent.
 */
export class DerivedReplacementError extends EndpointMonitoringError {
  readonly code = "derived-replacement";

  constructor(
    private readonly subject: string,
    private readonly cost: string,
    private readonly differences: readonly { property: string; text: string }[],
    isDiscreet = false,
  ) {
    const what = differences.map(({ property, text }) => (isDiscreet ? property : text)).join("; ");
    super(
      `The ${subject} differs from its declaration: ${what}. The service returned a value that no program can declare. Only a replacement ` +
        `can change the value in the service. Nothing was changed. Correct the value in the service, or run \`pulumi up --replace URN\` (${cost}). ` +
        "You can also allow the replacement with `endpoint-monitoring review --approval` and `endpoint-monitoring apply`. " +
        "`pulumi stack --show-urns` prints the URN.",
    );
  }

  /** Returns the failure without values, for a resource with secrets. */
  discreetly(): DerivedReplacementError {
    return new DerivedReplacementError(this.subject, this.cost, this.differences, true);
  }
}

/** The record that a resource manages no longer exists. */
export class GoneError extends EndpointMonitoringError {
  readonly code = "gone";
}

/**
 * The service already has an equal record. The user has to decide whether to adopt the existing record or to create another
 * record.
 */
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

/** The service may have created a record, but no list showed the record within `createOutcomeTimeout`. */
export class UnknownOutcomeError extends EndpointMonitoringError {
  readonly code = "unknown-outcome";
  override readonly outcomeUnknown = true;
}

/** Properties in a state do not match the schema of their resource type. */
export class DamagedStateError extends EndpointMonitoringError {
  readonly code = "damaged-state";
}

/** Two resources of a program manage the same record, so their changes would overwrite each other. */
export class OwnershipError extends EndpointMonitoringError {
  readonly code = "ownership";
}

/** A value that became known during the update differs from the approved value, so the provider did not send the request. */
export class UnapprovedError extends EndpointMonitoringError {
  readonly code = "unapproved";
}

/** The service's responses contradict each other, so no response proves that a record was deleted. */
export class UnprovenError extends EndpointMonitoringError {
  readonly code = "unproven";
  /** Whether the message suggests removing the resource from the state if the user knows that the record was deleted. */
  readonly mayBeForgotten: boolean;

  constructor(message: string, { cause, mayBeForgotten = false }: { cause?: unknown; mayBeForgotten?: boolean } = {}) {
    super(message, { cause });
    this.mayBeForgotten = mayBeForgotten;
  }
}

/**
 * The records in a state belong to a different service than the configured one. Responses from the configured service prove nothing about
 * the records of another service.
 */
export class OtherServiceError extends EndpointMonitoringError {
  readonly code = "other-service";

  /**
   * @param existing origin of the service that has the records
   * @param configured origin of the service in the settings
   */
  constructor(
    readonly existing: string,
    readonly configured: string,
  ) {
    super(
      `The records in the stack's state belong to the service at ${existing}, but the settings use ${configured}. No request was sent. Correct ` +
        `endpoint-monitoring:baseUrl (or ENDPOINT_MONITORING_BASE_URL). If the service moved and still has the same records with the same ids, run ` +
        `\`pulumi config set endpoint-monitoring:movedFrom ${existing}\`, \`pulumi up\` and \`pulumi refresh\`. Afterwards, run ` +
        `\`pulumi config rm endpoint-monitoring:movedFrom\`.`,
    );
  }
}

/** The transfer of an agent failed or did not finish in time. */
export class TransferError extends EndpointMonitoringError {
  readonly code = "transfer";
}

/** The results of a test run do not meet an expectation, or are not sufficient for a verdict. */
export class ExpectationError extends EndpointMonitoringError {
  readonly code = "expectation";
  /** Whether the test did not run, because its labels or tags select no agents. */
  lacksAgents = false;

  /**
   * @param measured the measurements of each agent that returned results
   * @param broken the expectations that were not met, each as part of a sentence
   * @param hasVerdict false if too few measurements demonstrably belong to the run
   */
  constructor(
    message: string,
    readonly measured: readonly Measurement[],
    readonly broken: readonly string[],
    readonly hasVerdict: boolean,
  ) {
    super(message);
  }

  /**
   * Returns the error of a test that did not run, because its labels or tags select no agents.
   *
   * @param test the test, as the subject of a sentence
   * @param reason the reason, as part of a sentence
   */
  static withoutAgents(test: string, reason: string): ExpectationError {
    const advice = "Change the filters, or select other agents.";
    const message = `${test} was not started, because no agent can run the test: ${reason}. ${advice}`;
    return Object.assign(new ExpectationError(message, [], [reason], false), { lacksAgents: true });
  }
}
