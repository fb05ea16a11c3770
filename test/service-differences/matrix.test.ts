/** Runs each step of a program's lifecycle with each variation. The step succeeds, or fails clearly and can be undone. */
import { variations } from "../support/variations";
import { amount, isLong, seed } from "../support/amount";
import { liveWith, secret, steps } from "./life";
import { skipIdleTime } from "../support/idle-time";

skipIdleTime();

const every = Math.ceil(variations.length / amount(10, variations.length));
const chosen = variations.filter((_, at) => (at + seed(0)) % every === 0);

/** The short form runs each variation on one of the fronts. */
const cells = chosen.flatMap((difference, place) =>
  (["dynamic", "native"] as const).filter((_, at) => isLong || at === place % 2).map((front) => ({ ...difference, front })),
);

test.each(cells)(
  "the lifecycle has the documented outcome with $name ($front provider type): $changes",
  async ({ front, ...difference }) => {
    const { provider } = difference;
    const { outcomes, text, ...remaining } = await liveWith(difference, front);
    const failures = steps.flatMap((step) => outcomes[step] ?? []);
    const words = provider === "works" ? "" : provider.fails;
    expect(failures.filter((failure) => words === "" || !failure.includes(words))).toEqual([]);
    expect(failures.length > 0).toBe(provider !== "works");
    // A destroy always succeeds, and no record remains.
    expect(outcomes.destroy).toBeUndefined();
    expect(remaining).toEqual({ perpetual: [], doubled: [], stuck: [], remaining: [] });
    expect(text).not.toContain(secret);
  },
);
