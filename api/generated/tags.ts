// `npm run generate` writes this file from the schemas in api/schemas.
import type { SelfLinks } from "./common";
import type { TagFilter } from "./tag-parts";

/**
 * Request body to create or update a tag. The documentation describes all members of the body as optional. The service requires
 * `accessType`, `objectType` and `value` (observed). For tags of endpoint agents, the service also requires `type`, `matchType`
 * and `filters` (observed). An update replaces the whole tag.
 */
export interface TagRequest {
  /** Key of the tag. An update can change the key (observed). */
  key?: string;
  /** Value of the tag. Each combination of key and value must be unique (observed for updates). */
  value?: string;
  /** Type of the objects that can have the tag. An update cannot change the type (observed). */
  objectType?: "connected-devices-test" | "dashboard" | "endpoint-agent" | "endpoint-test" | "test" | "v-agent";
  /** Type of the tag: `dynamic` for tags of endpoint agents, `static` for all other tags. Default: `static` (observed). */
  type?: "dynamic" | "static";
  /** The users who see the tag. The service requires `accessType` and accepts only `all` (observed). */
  accessType?: "all" | "partner" | "system";
  /** Color of the tag in the service's UI. Default: `#A7EB10` (observed). */
  color?: string;
  /** Icon of the tag in the service's UI. Default: `LABEL` (observed). `LABEL` is the only known icon. */
  icon?: string;
  /** Free text. */
  description?: string;
  /** With `and`, an agent must match all filters. With `or`, one matching filter is enough. Static tags have no `matchType`. */
  matchType?: "and" | "or";
  /** Conditions that agents must match. Static tags have no filters. */
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
   * Type of the objects that can have the tag: `endpoint-agent`, `test`, `dashboard`, `endpoint-test`, `v-agent` or
   * `connected-devices-test`.
   */
  objectType?: string;
  /** `static` or `dynamic`. */
  type?: string;
  /** `all`, `partner` or `system`. */
  accessType?: string;
  /** Account group of the tag. Built-in tags have no account group. */
  aid?: string;
  /** Whether the service itself provides the tag. */
  builtIn?: boolean;
  /** Color of the tag in the service's UI, such as `#A7EB10`. */
  color?: string;
  /** Icon of the tag in the service's UI, such as `LABEL`. */
  icon?: string;
  /** Free text. */
  description?: string;
  /** With `and`, an agent must match all filters. With `or`, an agent must match at least one filter. */
  matchType?: string;
  /** Conditions that agents must match. The service does not document whether lists of tags contain filters. */
  filters?: {
    /** Agent attribute that the filter compares. */
    key: string;
    /** Values that the filter compares with the attribute. */
    values: string[];
    /** `in` or `not-in`. */
    mode?: string;
    /** `default` or `custom`. */
    scope?: string;
  }[];
  /** Time of creation (RFC 3339, UTC). */
  createDate?: string;
  /** Time of the last change (RFC 3339, UTC), absent until the first change. */
  modifiedDate?: string;
  /**
   * Numeric id of the tag, in the same range as label ids. Built-in tags have negative ids. A label with the same id is
   * probably the same object as the tag.
   */
  legacyId?: number;
  /** Objects that have the static tag. The service returns the objects only if `expand` contains `assignments`. */
  assignments?: {
    /** Identifier of the object. */
    id?: string;
    /** Type of the object. */
    type?: string;
  }[];
  /** Links, such as the link to the record itself. */
  _links?: SelfLinks;
}

/** The tags of an account group, including built-in tags. The service returns all tags on one page. */
export interface TagList {
  /** The tags. */
  tags: TagRecord[];
  /** Links, such as the link to the list itself. */
  _links?: SelfLinks;
}

/** Tags to create. */
export interface BulkTagRequest {
  /** The tags. */
  tags: TagRequest[];
}

/** Result of a request that creates several tags. */
export interface BulkTagResponse {
  /** Created tags. */
  tags?: TagRecord[];
  /** The failures, one for each tag that was not created. */
  errors?: {
    /** The requested tag. The member name `tag` is an assumption, because responses with failures were never observed. */
    tag?: Record<string, unknown>;
    /** HTTP status for the tag that was not created. */
    responseCode?: number;
    /** Description of the failure. */
    message?: string;
  }[];
  /** Links, such as the link to the requested resource itself. */
  _links?: SelfLinks;
}
