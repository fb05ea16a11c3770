import { objectOf } from "../../../provider/values";
import { UsageError } from "../../../common/errors";

/** Placeholders for required values that the stack configuration lacks. `dev` tries the placeholders in the order of the array. */
const placeholders = ["placeholder", "1", "true", "{}"];

/** Matches the Pulumi SDK's errors about configuration values that are missing or have the wrong type. */
const refusal = /^(?:\w*Error: )?(Missing required configuration variable|Configuration) '([^']+)'/m;

/** Configuration of one `dev` session. The values override the stack's configuration. */
export class SessionConfiguration {
  readonly #values = new Map<string, string>();
  readonly #refusals = new Map<string, number>();
  readonly #new = new Map<string, string>();

  constructor(private readonly project: string) {}

  set(key: string, value: string): void {
    this.#values.set(this.#fullKey(key), value);
  }

  /** Sets values from the command line, such as `region=eu`. @throws UsageError */
  setAll(entries: readonly string[]): void {
    for (const entry of entries) {
      const [, key, value] = /^([^=\s]+)=(.*)$/s.exec(entry) ?? [];
      if (key === undefined || value === undefined) throw new UsageError(`--config requires KEY=VALUE, not "${entry}"`);
      this.set(key, value);
    }
  }

  /**
   * Sets a placeholder for a value that the program requires.
   *
   * @param failure the program's error message
   * @returns false if the failure does not concern a value that the user omitted, or if the program has rejected all placeholders
   */
  complete(failure: string): boolean {
    const [, sign, key] = refusal.exec(failure) ?? [];
    if (key === undefined) return false;
    const refusals = this.#refusals.get(key) ?? 0;
    const value = placeholders[refusals];
    // A placeholder must not replace a value that the user set.
    if (value === undefined || (refusals === 0 && sign === "Configuration")) return false;
    this.#refusals.set(key, refusals + 1);
    this.#values.set(key, value);
    this.#new.set(key, value);
    return true;
  }

  newPlaceholders(): readonly (readonly [key: string, value: string])[] {
    const added = [...this.#new];
    this.#new.clear();
    return added;
  }

  /** Adds the session's values to the content of a stack settings file. */
  addTo(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const declared = Object.entries(objectOf(settings["config"])).map(([key, value]) => [this.#fullKey(key), value] as const);
    return { ...settings, config: { ...Object.fromEntries(declared), ...Object.fromEntries(this.#values) } };
  }

  #fullKey(key: string): string {
    return key.includes(":") ? key : `${this.project}:${key}`;
  }
}
