import type { z } from "zod";
import { type tagAssignment, type tagFilter, tagFilterKeys, type tagRequest } from "../../api/schemas";
import { Random } from "../fleet/random";
import { type Collection, membersOf } from "../store";
import { labels } from "./labels";

type Requested = Required<z.output<typeof tagRequest>>;

export type StoredTagFilter = Required<z.output<typeof tagFilter>>;

/** A stored tag, which contains the values from its create request, the defaults, and the members that the service adds. */
export interface StoredTag extends Pick<Requested, "key" | "value" | "objectType" | "type" | "accessType" | "color" | "icon"> {
  readonly description?: string;
  readonly matchType?: Requested["matchType"];
  readonly filters?: readonly StoredTagFilter[];
  /**
   * Numeric id from the same sequence as the label ids. Only dynamic tags have this member. In the recorded response, `legacyId` is slightly
   * larger than the account's label ids.
   */
  readonly legacyId?: number;
  readonly createDate: string;
  readonly modifiedDate?: string;
  /** Objects that have the tag, for static tags only. */
  readonly assignments: readonly z.output<typeof tagAssignment>[];
}

export type ShownTag = Omit<StoredTag, "assignments"> & { id: string; aid?: number; builtIn: boolean };

export const tags: Collection<StoredTag> = {
  name: "tags",
  series: labels.series,
  firstId: labels.firstId,
  idOf: (number) => new Random(number).uuid(),
  needs: membersOf<StoredTag>({
    key: true,
    value: true,
    objectType: true,
    type: true,
    accessType: true,
    color: true,
    icon: true,
    createDate: true,
    assignments: true,
  }),
};

export const tagDefaults = { color: "#A7EB10", icon: "LABEL", type: "static" } as const;

/**
 * Maps the service's internal spelling of filter keys to the documented spelling. Recorded responses contain only the internal spelling
 * `machineId`.
 */
const documentedKeys: Record<string, string> = { machineId: "agent-id" };

/** Returns the stored form of a key in a tag filter with scope `default`. The service refuses unknown keys of filters. */
export function storedKey(key: string): string | undefined {
  const known = documentedKeys[key] ?? key;
  return (tagFilterKeys as readonly string[]).includes(known) ? known : undefined;
}

/** Built-in tags from recorded responses. The service has more built-in tags, with other ids. */
export const builtInTags: readonly ShownTag[] = ["Enterprise", "Cloud"].map((name, at) => ({
  ...tagDefaults,
  id: new Random(-2 - at).uuid(),
  builtIn: true,
  accessType: "all",
  createDate: "1970-01-01T00:00:00Z",
  icon: `BUILT_IN_AGENT_${name.toUpperCase()}`,
  key: name,
  legacyId: -1 - at,
  objectType: "v-agent",
  value: name,
}));
