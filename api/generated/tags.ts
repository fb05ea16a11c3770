// Written by `npm run generate` from the schemas; change it there.
import type { SelfLinks } from "./common";
import type { TagFilter } from "./tag-parts";

/**
 * Body of a create or an update. According to the interface all members are optional, but the service requires `accessType`,
 * `objectType` and `value`, and for a tag of endpoint agents also `type`, `matchType` and `filters` (recorded). An update
 * replaces the whole record.
 */
export interface TagRequest {
  /** Key of the tag. It may be changed (recorded). */
  key?: string;
  /** Value of the tag. Key and value together are unique (recorded for updates). */
  value?: string;
  /** The type of the tag's objects. It cannot be changed (recorded). */
  objectType?: "connected-devices-test" | "dashboard" | "endpoint-agent" | "endpoint-test" | "test" | "v-agent";
  /** `dynamic` for endpoint agents, `static` for other objects. Default: `static` (recorded). */
  type?: "dynamic" | "static";
  /** The users who see the tag. The service requires it and accepts only `all` (recorded). */
  accessType?: "all" | "partner" | "system";
  /** Color on the product's pages. Default: `#A7EB10` (recorded). */
  color?: string;
  /** Icon on the product's pages. Default: `LABEL` (recorded). Other icons are not known. */
  icon?: string;
  /** Free text. */
  description?: string;
  /** `and`: an agent must match all filters. `or`: one matching filter is enough. Static tags have no such member. */
  matchType?: "and" | "or";
  /** Conditions on agents. Static tags have no such member. */
  filters?: TagFilter[];
}

/** A tag. */
export interface TagRecord {
  /** Identifier of the tag (UUID). */
  id: string;
  /** Key of the tag. */
  key?: string;
  /** Value of the tag. */
  value?: string;
  /**
   * The type of the tag's objects: `endpoint-agent`, `test`, `dashboard`, `endpoint-test`, `v-agent` or
   * `connected-devices-test`.
   */
  objectType?: string;
  /** `static` or `dynamic`. */
  type?: string;
  /** `all`, `partner` or `system`. */
  accessType?: string;
  /** Account group of the tag. Absent for a built-in tag. */
  aid?: string;
  /** Whether the service itself provides the tag. */
  builtIn?: boolean;
  /** Color on the product's pages, such as `#A7EB10`. */
  color?: string;
  /** Icon on the product's pages, such as `LABEL`. */
  icon?: string;
  /** Free text. */
  description?: string;
  /** `and`: an agent must match all filters. `or`: one matching filter is enough. */
  matchType?: string;
  /** Conditions on agents. It is not known whether lists of tags contain them. */
  filters?: {
    /** Agent attribute to compare. */
    key: string;
    /** Values to compare with. */
    values: string[];
    /** `in` or `not-in`. */
    mode?: string;
    /** `default` or `custom`. */
    scope?: string;
  }[];
  /** Time of creation (RFC 3339, UTC). */
  createDate?: string;
  /** Time of the last change (RFC 3339, UTC); absent before the first change. */
  modifiedDate?: string;
  /**
   * Number of the tag in the series of label ids, for a tag of endpoint agents. A label with this id may be the same object
   * (inferred). Negative for built-in tags.
   */
  legacyId?: number;
  /** Objects that a static tag is assigned to. Only with `assignments` in `expand`. */
  assignments?: {
    /** Identifier of the object. */
    id?: string;
    /** The type of the object. */
    type?: string;
  }[];
  /** Links of the record. */
  _links?: SelfLinks;
}

/** The tags of an account group, all on one page: all types, including built-in tags. */
export interface TagList {
  /** The tags. */
  tags: TagRecord[];
  /** Links of the list. */
  _links?: SelfLinks;
}

/** Tags to create. */
export interface BulkTagRequest {
  /** The tags. */
  tags: TagRequest[];
}

/** Outcome of a create of several tags. */
export interface BulkTagResponse {
  /** Created tags. */
  tags?: TagRecord[];
  /** Failures, one for each tag that was not created. */
  errors?: {
    /** The requested tag. The name of this member in the answer is not known. */
    tag?: Record<string, unknown>;
    /** Status of this tag's create. */
    responseCode?: number;
    /** The error. */
    message?: string;
  }[];
  /** Links of the answer. */
  _links?: SelfLinks;
}
