import type { Properties } from "../../provider/values";

/** How a create stands to the records that are there. */
export type Decision =
  | { how: "adopts"; id: string; state: Properties }
  /** The update will fail at it. */
  | { how: "refused"; why: "identical" | "several"; ids: readonly string[] }
  | { how: "refused"; why: "differs"; ids: readonly string[]; properties: readonly string[] }
  /** That goes by a value which is secret, or not known yet. */
  | { how: "unclear" }
  | { how: "creates" };
