import type { Difference } from "./difference";
import { reads } from "./reads";
import { reshaping } from "./reshaping";
import { spelling } from "./spelling";
import { transport } from "./transport";
import { types } from "./types";
import { writes } from "./writes";

export type { Difference, Outcome } from "./difference";

/** Groups of differences, with the heading of each group. */
export const differenceGroups: readonly { readonly title: string; readonly differences: readonly Difference[] }[] = [
  { title: "Confirmation of writes, and missing records", differences: writes },
  { title: "Members of records", differences: types },
  { title: "Spelling, bounds and defaults", differences: spelling },
  { title: "Values that the service returns in another form", differences: reshaping },
  { title: "Lists, and reads after writes", differences: reads },
  { title: "Encodings, pace and refusals", differences: transport },
];

/** Every way in which the emulator can answer otherwise. */
export const differences: readonly Difference[] = differenceGroups.flatMap((group) => group.differences);
