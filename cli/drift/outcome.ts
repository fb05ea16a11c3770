import { bare, type Outcome } from "./report";
import type { Look } from "./stacks";

/** The stacks after something was done about their drift. */
export interface Done {
  /** How the stacks look now. */
  looks: Look[];
  outcome: Outcome & { files?: string[] };
  interrupted: boolean;
}

export function emptyOutcome(): Outcome {
  return { resources: [], left: [], pending: [], failures: [] };
}

/** The resources that are left, with the reason. */
export function leftOf({ drift }: Look, left: ReadonlyMap<string, string>): Outcome["left"] {
  return [...drift.changed, ...drift.missing].flatMap((resource) => {
    const reason = left.get(resource.urn);
    return reason === undefined ? [] : [{ ...bare(resource), reason }];
  });
}
