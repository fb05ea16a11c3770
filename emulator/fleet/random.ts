const hexDigits = "0123456789abcdef";

/** Generates the same pseudo-random numbers in every run (mulberry32), so that every run creates the same agents. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    const a = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    const b = a ^ (a + Math.imul(a ^ (a >>> 7), a | 61));
    return ((b ^ (b >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer from `low` to `high`, including both limits. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.between(0, choices.length - 1)] ?? choices[0];
  }

  /** Returns a random choice. The probability of a choice is proportional to its weight. */
  weighted<T>(choices: readonly [readonly [weight: number, T], ...(readonly [weight: number, T])[]]): T {
    let remaining = this.next() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, choice] of choices) {
      remaining -= weight;
      if (remaining < 0) return choice;
    }
    return choices[0][1];
  }

  hex(digits: number): string {
    let text = "";
    for (let digit = 0; digit < digits; digit += 1) text += hexDigits.charAt(this.between(0, 15));
    return text;
  }

  /** Returns an identifier in the format of a random UUID. */
  uuid(): string {
    return [this.hex(8), this.hex(4), `4${this.hex(3)}`, `${this.pick(["8", "9", "a", "b"])}${this.hex(3)}`, this.hex(12)].join(
      "-",
    );
  }
}
