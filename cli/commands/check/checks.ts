import { EndpointMonitoringError, errorCodes } from "../../../api";
import type { Finding } from "../../../common/finding";
import { UsageError } from "../../../common/errors";

/** The result of a check: a finding without the check's name, and the value that later checks use. */
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

/** The part of a check's result that later checks use. */
export interface Outcome<T = void> {
  /** Name of the failed check that made this check fail or be skipped. Absent if this check has a value. */
  cause?: string;
  value?: T;
}

type CheckedValues<N> = { [I in keyof N]: N[I] extends Outcome<infer V> ? V : never };

/** Runs checks one after another. Skips a check that depends on a failed one. */
export class Checks {
  readonly done: Finding[] = [];

  /** @param onCheck called before each check, with its name and the number of finished checks */
  constructor(private readonly onCheck: (name: string, done: number) => void) {}

  /**
   * Runs a check.
   *
   * @param needs earlier checks with values that this check uses
   * @param work gets these values
   */
  async run<T, N extends Outcome<unknown>[] | []>(
    name: string,
    needs: N,
    work: (...values: CheckedValues<N>) => Promise<CheckOutcome<T>> | CheckOutcome<T>,
  ): Promise<Outcome<T>> {
    const cause = needs.map((need) => need.cause).find((candidate) => candidate !== undefined);
    if (cause !== undefined) {
      this.done.push({ rule: name, level: "skipped", text: [`requires "${cause}"`] });
      return { cause };
    }
    this.onCheck(name, this.done.length);
    // No check failed, so each has a value of its type.
    const values = needs.map(({ value }) => value) as CheckedValues<N>;
    const { value, ...check } = await reported(() => work(...values));
    this.done.push({ rule: name, ...check });
    return check.level === "error" ? { cause: name } : { value };
  }
}

/** Runs work of a check. An error that the user can fix becomes a failure with advice. @param what start of the message */
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

/** Turns an expected error into a failed check. Throws any other error, because it is a bug. */
async function reported<T>(work: () => Promise<CheckOutcome<T>> | CheckOutcome<T>): Promise<CheckOutcome<T>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UsageError) return { level: "error", text: [error.message] };
    if (error instanceof EndpointMonitoringError) return refusal(error);
    throw error;
  }
}

/** Returns a failed check for an error of the service or the connection. The advice at the end of its message becomes the fix. */
export function refusal<T = void>(error: EndpointMonitoringError, fix: string = errorCodes[error.code].todo): CheckOutcome<T> {
  const { message } = error;
  const { todo } = errorCodes[error.code];
  const reason = message.endsWith(todo) ? message.slice(0, -todo.length) : message;
  return failed(reason.trim().replace(/\.$/, ""), fix.replace(/(?<!\.)\.$/, ""));
}
