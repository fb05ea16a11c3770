import { EndpointMonitoringError, errorCodes } from "../../api";
import { UsageError } from "../command";

export type Status = "ok" | "warning" | "failed" | "skipped";

export interface Check {
  name: string;
  status: Status;
  message: string;
  /** Advice, with a command if one helps. */
  fix?: string;
}

/** The result of a check, with the value that others build on. */
export interface CheckResult<T = void> {
  status: Status;
  message: string;
  fix?: string;
  value?: T;
}

export const ok = <T = void>(message: string, value?: T): CheckResult<T> => ({ status: "ok", message, value });
export const warning = <T = void>(message: string, fix: string, value?: T): CheckResult<T> => ({
  status: "warning",
  message,
  fix,
  value,
});
export const failed = <T = void>(message: string, fix: string): CheckResult<T> => ({ status: "failed", message, fix });
/** The result of a check that could not be made although nothing is wrong. */
export const skipped = <T = void>(message: string): CheckResult<T> => ({ status: "skipped", message });

/** Checks one after another. One that builds on another that is not in order is skipped, and names that. */
export class Checks {
  readonly done: Check[] = [];
  /** The check that each skipped one goes back to. */
  readonly #causes = new Map<string, string>();

  /** @param onCheck called before each check, with its name and how many are done */
  constructor(private readonly onCheck: (name: string, done: number) => void) {}

  /**
   * Carries out a check.
   *
   * @param needs names of earlier checks that it builds on; one that was not carried out does not matter
   * @returns what others build on; nothing where it is not in order
   */
  async run<T>(
    name: string,
    needs: readonly string[],
    work: () => Promise<CheckResult<T>> | CheckResult<T>,
  ): Promise<T | undefined> {
    const cause = needs.map((need) => this.#causeOf(need)).find((found) => found !== undefined);
    if (cause !== undefined) {
      this.#causes.set(name, cause);
      this.done.push({ name, status: "skipped", message: `because "${cause}" is not in order` });
      return undefined;
    }
    this.onCheck(name, this.done.length);
    const { value, ...check } = await reported(work);
    this.done.push({ name, ...check });
    return value;
  }

  /** The failed check behind one; nothing where it is in order. */
  #causeOf(name: string): string | undefined {
    if (this.#causes.has(name)) return this.#causes.get(name);
    return this.done.some((check) => check.name === name && check.status === "failed") ? name : undefined;
  }
}

/** A failure that no check foresees is reported like any other; only bugs are not. */
async function reported<T>(work: () => Promise<CheckResult<T>> | CheckResult<T>): Promise<CheckResult<T>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UsageError) return { status: "failed", message: error.message };
    if (error instanceof EndpointMonitoringError) return refusal(error);
    throw error;
  }
}

/** A failure of the service or the way to it: its message ends with what to do, which has a place of its own here. */
export function refusal<T = void>(error: EndpointMonitoringError, fix: string = errorCodes[error.code].todo): CheckResult<T> {
  const { message } = error;
  const { todo } = errorCodes[error.code];
  const reason = message.endsWith(todo) ? message.slice(0, -todo.length) : message;
  return failed(reason.trim().replace(/\.$/, ""), fix.replace(/(?<!\.)\.$/, ""));
}
