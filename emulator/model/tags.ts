import type { z } from "zod";
import { type tagAssignment, type tagFilter, tagFilterKeys, type tagRequest } from "../../api/schemas";
import { Random } from "../fleet/random";
import { type Collection, membersOf } from "../store";
import { labels } from "./labels";

type Requested = Required<z.output<typeof tagRequest>>;

/** A condition of a tag as stored, with the defaults filled in. */
export type StoredTagFilter = Required<z.output<typeof tagFilter>>;

/** A tag as stored: everything it was created with, with the defaults filled in, and what the service adds. */
export interface StoredTag extends Pick<Requested, "key" | "value" | "objectType" | "type" | "accessType" | "color" | "icon"> {
  readonly description?: string;
  /** Of a dynamic tag. */
  readonly matchType?: Requested["matchType"];
  readonly filters?: readonly StoredTagFilter[];
  /** Of a dynamic tag its number in the series of label ids (recorded: an id a little above those of the account's labels). */
  readonly legacyId?: number;
  readonly createDate: string;
  readonly modifiedDate?: string;
  /** Objects that a static tag is assigned to. */
  readonly assignments: readonly z.output<typeof tagAssignment>[];
}

/** A tag as answers show it, before absent members are null. A built-in tag has no account group. */
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

/** Recorded on every create that names none. */
export const tagDefaults = { color: "#A7EB10", icon: "LABEL", type: "static" } as const;

/** Observed: an internal spelling of a key is stored as the documented one. No other spelling than this is known. */
const documentedKeys: Record<string, string> = { machineId: "agent-id" };

/** The key under which a filter of scope `default` is stored; nothing for one that the service refuses. */
export function storedKey(key: string): string | undefined {
  const known = documentedKeys[key] ?? key;
  return (tagFilterKeys as readonly string[]).includes(known) ? known : undefined;
}

/** Tags that the service itself provides, as recorded; the live service has more. Their ids are ours. */
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
