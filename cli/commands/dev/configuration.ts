import { objectOf } from "../../../provider/values";
import { UsageError } from "../../../common/errors";

/** Values for configuration that a program requires and the stack lacks. A program that refuses the first gets the next. */
const placeholders = ["placeholder", "1", "true", "{}"];

/** The messages of Pulumi's SDK about a value that is missing, or of another type. They are its only sign: the program has ended. */
const refusal = /^(?:\w*Error: )?(Missing required configuration variable|Configuration) '([^']+)'/m;

/** Configuration for a session of `dev` only, in addition to the stack's own. */
export class SessionConfiguration {
  readonly #values = new Map<string, string>();
  readonly #refusals = new Map<string, number>();
  readonly #new = new Map<string, string>();

  constructor(private readonly project: string) {}

  set(key: string, value: string): void {
    this.#values.set(this.#fullKey(key), value);
  }

  /** Sets values of the command line, as KEY=VALUE. @throws UsageError */
  setAll(entries: readonly string[]): void {
    for (const entry of entries) {
      const [, key, value] = /^([^=\s]+)=(.*)$/s.exec(entry) ?? [];
      if (key === undefined || value === undefined) throw new UsageError(`--config requires KEY=VALUE, not "${entry}"`);
      this.set(key, value);
    }
  }

  /**
   * Sets a placeholder for the value that a program misses.
   *
   * @param failure the message of the program
   * @returns whether it did: not if the program failed for another reason, or refuses all placeholders
   */
  complete(failure: string): boolean {
    const [, sign, key] = refusal.exec(failure) ?? [];
    if (key === undefined) return false;
    const refusals = this.#refusals.get(key) ?? 0;
    const value = placeholders[refusals];
    // A value of the user is not replaced.
    if (value === undefined || (refusals === 0 && sign === "Configuration")) return false;
    this.#refusals.set(key, refusals + 1);
    this.#values.set(key, value);
    this.#new.set(key, value);
    return true;
  }

  /** Returns the placeholders since the last call, by key. */
  newPlaceholders(): readonly (readonly [key: string, value: string])[] {
    const all = [...this.#new];
    this.#new.clear();
    return all;
  }

  /** Returns the content of a stack file with these values. */
  addTo(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const own = Object.entries(objectOf(settings["config"])).map(([key, value]) => [this.#fullKey(key), value] as const);
    return { ...settings, config: { ...Object.fromEntries(own), ...Object.fromEntries(this.#values) } };
  }

  #fullKey(key: string): string {
    return key.includes(":") ? key : `${this.project}:${key}`;
  }
}
