import { objectOf } from "../../../provider/values";
import { UsageError } from "../../../common/errors";

/** Placeholders for configuration that a program requires and the stack lacks. If the program rejects one, `dev` tries the next. */
const placeholders = ["placeholder", "1", "true", "{}"];

/** Messages of Pulumi's SDK about a missing value or a wrong type. Only these messages show the cause of the failure. */
const refusal = /^(?:\w*Error: )?(Missing required configuration variable|Configuration) '([^']+)'/m;

/** Configuration for one `dev` session, in addition to the stack's configuration. */
export class SessionConfiguration {
  readonly #values = new Map<string, string>();
  readonly #refusals = new Map<string, number>();
  readonly #new = new Map<string, string>();

  constructor(private readonly project: string) {}

  set(key: string, value: string): void {
    this.#values.set(this.#fullKey(key), value);
  }

  /** Sets values from the command line, as KEY=VALUE. @throws UsageError */
  setAll(entries: readonly string[]): void {
    for (const entry of entries) {
      const [, key, value] = /^([^=\s]+)=(.*)$/s.exec(entry) ?? [];
      if (key === undefined || value === undefined) throw new UsageError(`--config requires KEY=VALUE, not "${entry}"`);
      this.set(key, value);
    }
  }

  /**
   * Sets a placeholder for the missing value of a program.
   *
   * @param failure the program's error message
   * @returns whether it set a placeholder. False if the program failed for another reason, or rejects all placeholders
   */
  complete(failure: string): boolean {
    const [, sign, key] = refusal.exec(failure) ?? [];
    if (key === undefined) return false;
    const refusals = this.#refusals.get(key) ?? 0;
    const value = placeholders[refusals];
    // A user's value is not replaced.
    if (value === undefined || (refusals === 0 && sign === "Configuration")) return false;
    this.#refusals.set(key, refusals + 1);
    this.#values.set(key, value);
    this.#new.set(key, value);
    return true;
  }

  /** Returns the placeholders that were set since the last call, by configuration key. */
  newPlaceholders(): readonly (readonly [key: string, value: string])[] {
    const all = [...this.#new];
    this.#new.clear();
    return all;
  }

  /** Returns the content of a stack file with the session's values. */
  addTo(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const own = Object.entries(objectOf(settings["config"])).map(([key, value]) => [this.#fullKey(key), value] as const);
    return { ...settings, config: { ...Object.fromEntries(own), ...Object.fromEntries(this.#values) } };
  }

  #fullKey(key: string): string {
    return key.includes(":") ? key : `${this.project}:${key}`;
  }
}
