// Written by `npm run generate` from the schemas; change it there.
import type { SelfLinks } from "./common";
import type { TagFilter } from "./tag-parts";

/**
 * Body of a create or an update. The interface requires no member, the service some (recorded): `accessType`, `objectType` and
 * `value`, and of a tag of endpoint agents `type`, `matchType` and `filters`. An update takes the whole record.
 */
export interface TagRequest {
  /** Key of the tag. It may be changed (recorded). */
  key?: string;
  /** Value of the tag. Key and value together are unique (recorded for updates). */
  value?: string;
  /** The type of the objects that the tag is on. It cannot be changed (recorded). */
  objectType?: "connected-devices-test" | "dashboard" | "endpoint-agent" | "endpoint-test" | "test" | "v-agent";
  /** `dynamic` for endpoint agents, `static` for all else, which is the default (recorded). */
  type?: "dynamic" | "static";
  /** The users who see the tag. The service refuses a request without it, and takes only `all` (recorded). */
  accessType?: "all" | "partner" | "system";
  /** Color on the product's pages. Default: `#A7EB10` (recorded). */
  color?: string;
  /** Icon on the product's pages. Default: `LABEL` (recorded). Which others there are is not known. */
  icon?: string;
  /** Free text. */
  description?: string;
  /** Whether an agent must match all filters (`and`) or one (`or`). A static tag has none. */
  matchType?: "and" | "or";
  /** Conditions that agents are compared with. A static tag has none. */
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
  /** The type of the objects that the tag is on: `endpoint-agent`, `test`, `dashboard`, `endpoint-test`, `v-agent` or `connected-devices-test`. */
  objectType?: string;
  /** `static` or `dynamic`. */
  type?: string;
  /** `all`, `partner` or `system`. */
  accessType?: string;
  /** Account group of the tag. A built-in tag has none. */
  aid?: string;
  /** Whether the service itself provides it. */
  builtIn?: boolean;
  /** Color on the product's pages, such as `#A7EB10`. */
  color?: string;
  /** Icon on the product's pages, such as `LABEL`. */
  icon?: string;
  /** Free text. */
  description?: string;
  /** Whether an agent must match all filters (`and`) or one (`or`). */
  matchType?: string;
  /** Conditions that agents are compared with. That a list of tags has them is not known. */
  filters?: {
    /** Attribute of the agent that is compared. */
    key: string;
    /** Values to compare with. */
    values: string[];
    /** `in` or `not-in`. */
    mode?: string;
    /** `default` or `custom`. */
    scope?: string;
  }[];
  /** When the tag was created (RFC 3339, UTC). */
  createDate?: string;
  /** When it was last changed (RFC 3339, UTC); absent before the first change. */
  modifiedDate?: string;
  /**
   * Number of the tag in the series of label ids, for a tag of endpoint agents. So a label of this id may be the same thing underneath
   * (inferred). Negative for built-in tags.
   */
  legacyId?: number;
  /** Objects that a static tag is assigned to; only with `assignments` in `expand`. */
  assignments?: {
    /** Identifier of the object. */
    id?: string;
    /** The type of the object. */
    type?: string;
  }[];
  /** Links of the record. */
  _links?: SelfLinks;
}

/** The tags of an account group, all on one page: of all types, the built-in ones too. */
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
  /** Tags that were created. */
  tags?: TagRecord[];
  /** Tags that were not. */
  errors?: {
    /** The tag as it was asked for. By which name it is in this object is not known. */
    tag?: Record<string, unknown>;
    /** Status of this tag's create. */
    responseCode?: number;
    /** The error. */
    message?: string;
  }[];
  /** Links of the answer. */
  _links?: SelfLinks;
}
