import type { Outcome } from "./report";
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
  return [...drift.changed, ...drift.missing].flatMap(({ stack, kind, name, id, urn, position }) => {
    const reason = left.get(urn);
    return reason === undefined ? [] : [{ stack, kind, name, id, urn, ...(position ? { position } : {}), reason }];
  });
}
