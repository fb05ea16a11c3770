import { EndpointMonitoringError, errorCodes } from "../../../api";
import type { Finding } from "../../../common/finding";
import { UsageError } from "../../../common/errors";

/** The result of a check: a finding without the name of the check, and the value that later checks build on. */
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
export const failed = <T = void>(message: string, fix: string): CheckOutcome<T> => ({
  level: "error",
  text: [message],
  fix: [fix],
});
export const skipped = <T = void>(message: string): CheckOutcome<T> => ({ level: "skipped", text: [message] });

/** A check as others build on it. */
export interface Outcome<T = void> {
  /** Name of the failed check because of which it has no value; absent if it is in order. */
  cause?: string;
  value?: T;
}

type CheckedValues<N> = { [I in keyof N]: N[I] extends Outcome<infer V> ? V : never };

/** Runs checks one after another. A check that builds on one that is not in order is skipped, and names that. */
export class Checks {
  readonly done: Finding[] = [];

  /** @param onCheck called before each check, with its name and how many are done */
  constructor(private readonly onCheck: (name: string, done: number) => void) {}

  /**
   * Carries out a check.
   *
   * @param needs earlier checks that it builds on
   * @param work takes their values
   */
  async run<T, N extends Outcome<unknown>[] | []>(
    name: string,
    needs: N,
    work: (...values: CheckedValues<N>) => Promise<CheckOutcome<T>> | CheckOutcome<T>,
  ): Promise<Outcome<T>> {
    const cause = needs.map((need) => need.cause).find((candidate) => candidate !== undefined);
    if (cause !== undefined) {
      this.done.push({ rule: name, level: "skipped", text: [`because "${cause}" is not in order`] });
      return { cause };
    }
    this.onCheck(name, this.done.length);
    // Each of them is in order, so it has a value of its type.
    const values = needs.map(({ value }) => value) as CheckedValues<N>;
    const { value, ...check } = await reported(() => work(...values));
    this.done.push({ rule: name, ...check });
    return check.level === "error" ? { cause: name } : { value };
  }
}

/** Carries out work of a check. An error that the user can mend is a failure with advice. @param what begins its message */
export async function withAdvice<T>(
  work: () => Promise<CheckOutcome<T>>,
  fix: string,
  what: string = "",
): Promise<CheckOutcome<T>> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return failed(`${what}${error.message}`, fix);
  }
}

/** Turns an error that no check foresees into a failed check. Errors of other classes are bugs, and are thrown. */
async function reported<T>(work: () => Promise<CheckOutcome<T>> | CheckOutcome<T>): Promise<CheckOutcome<T>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UsageError) return { level: "error", text: [error.message] };
    if (error instanceof EndpointMonitoringError) return refusal(error);
    throw error;
  }
}

/** Makes a failed check of an error of the service or the connection. The advice at the end of its message becomes the fix. */
export function refusal<T = void>(error: EndpointMonitoringError, fix: string = errorCodes[error.code].todo): CheckOutcome<T> {
  const { message } = error;
  const { todo } = errorCodes[error.code];
  const reason = message.endsWith(todo) ? message.slice(0, -todo.length) : message;
  return failed(reason.trim().replace(/\.$/, ""), fix.replace(/(?<!\.)\.$/, ""));
}
