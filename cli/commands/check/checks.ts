import { EndpointMonitoringError, errorCodes } from "../../../api";
import type { Finding } from "../../../common/finding";
import { UsageError } from "../../../common/errors";

/** The result of a check: a level, a message, a fix, and a value for later checks. */
export interface CheckOutcome<T = void> extends Pick<Finding, "level" | "text" | "fix"> {
  value?: T;
}

export const ok = <T = void>(message: string, value?: T): CheckOutcome<T> => ({ level: "passed", text: [message], value });
export const warning = <T = void>(message: string, fix: string, value?: T): CheckOutcome<T> => ({
  level: "warning",
  text: [message],
  fix: [fix],
  value,
});
export const failed = <T = void>(message: string, fix?: string): CheckOutcome<T> => ({
  level: "error",
  text: [message],
  ...(fix !== undefined && { fix: [fix] }),
});
export const skipped = <T = void>(message: string): CheckOutcome<T> => ({ level: "skipped", text: [message] });

export interface Outcome<T = void> {
  /** Name of the failed check that prevents this check from running. */
  cause?: string;
  value?: T;
}

type CheckedValues<N> = { [I in keyof N]: N[I] extends Outcome<infer V> ? V : never };

export class Checks {
  readonly done: Finding[] = [];

  /** @param onCheck function that is called before each check, with the check's name and the number of finished checks */
  constructor(private readonly onCheck: (name: string, done: number) => void) {}

  /**
   * Runs a check.
   *
   * @param needs earlier checks that provide values for this check
   * @param work function that performs the check with the values of `needs`
   * @param fix advice to the user if `work` throws a UsageError
   * @param start beginning of the message if `work` throws a UsageError
   */
  async run<T, N extends Outcome<unknown>[] | []>(
    name: string,
    needs: N,
    work: (...values: CheckedValues<N>) => Promise<CheckOutcome<T>> | CheckOutcome<T>,
    fix?: string,
    start = "",
  ): Promise<Outcome<T>> {
    const cause = needs.map((need) => need.cause).find((candidate) => candidate !== undefined);
    if (cause !== undefined) {
      this.done.push({ rule: name, level: "skipped", text: [`requires "${cause}"`] });
      return { cause };
    }
    this.onCheck(name, this.done.length);
    // All checks in `needs` passed, so each of these checks has a value.
    const values = needs.map(({ value }) => value) as CheckedValues<N>;
    let outcome: CheckOutcome<T>;
    try {
      outcome = await work(...values);
    } catch (error) {
      // Any error that is neither a UsageError nor an API error indicates a bug.
      if (!(error instanceof UsageError || error instanceof EndpointMonitoringError)) throw error;
      outcome = error instanceof UsageError ? failed(`${start}${error.message}`, fix) : refusal(error);
    }
    const { value, ...check } = outcome;
    this.done.push({ rule: name, ...check });
    return check.level === "error" ? { cause: name } : { value };
  }
}

/** Converts an API error to a failed check. If the error's message ends with advice, the advice becomes the check's fix. */
export function refusal<T = void>(error: EndpointMonitoringError, fix: string = errorCodes[error.code].todo): CheckOutcome<T> {
  const { message } = error;
  const { todo } = errorCodes[error.code];
  const reason = message.endsWith(todo) ? message.slice(0, -todo.length) : message;
  return failed(reason.trim().replace(/\.$/, ""), fix.replace(/(?<!\.)\.$/, ""));
}
