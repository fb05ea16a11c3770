import type { Variation } from "./variation";
import { reads } from "./reads";
import { reshaping } from "./reshaping";
import { spelling } from "./spelling";
import { transport } from "./transport";
import { types } from "./types";
import { writes } from "./writes";

export type { Variation, Outcome } from "./variation";

/** Groups of variations, with the heading of each group. */
export const variationGroups: readonly { readonly title: string; readonly variations: readonly Variation[] }[] = [
  { title: "Confirmation of writes, and missing records", variations: writes },
  { title: "Members of records", variations: types },
  { title: "Spelling, bounds and defaults", variations: spelling },
  { title: "Values that the service returns in another form", variations: reshaping },
  { title: "Lists, and reads after writes", variations: reads },
  { title: "Encodings, pace and refusals", variations: transport },
];

/** All variations of the emulator's responses. */
export const variations: readonly Variation[] = variationGroups.flatMap((group) => group.variations);
