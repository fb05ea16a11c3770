// `npm run generate` writes this file from the schemas in api/schemas.
import type { PageLinks, SelfLinks } from "./common";

/** One condition of a label. */
export interface LabelFilter {
  /** Agent attribute that the filter compares. */
  key:
    | "agent-id"
    | "agent-type"
    | "asn"
    | "bssid"
    | "connection"
    | "gateway"
    | "hostname"
    | "ip-address-family"
    | "local-network"
    | "platform"
    | "public-network"
    | "ssid"
    | "username"
    | "vpn-client-address"
    | "vpn-client-network"
    | "vpn-gateway-address"
    | "vpn-vendor"
    | (string & {});
  /**
   * Values that the filter compares with the attribute. In `ssid`, `hostname` and `username`, `*` matches any text, and `?`
   * matches one character. Other attributes require exact values, IP addresses or networks.
   */
  values: string[];
  /** `in` matches agents with one of the values. `not-in` matches agents without any of the values. Default: `in` (inferred). */
  mode?: "in" | "not-in";
}

/** Request body to create a label. */
export interface LabelRequest {
  /** Display name of the label. The service's UI accepts at most 64 characters. */
  name: string;
  /** With `and`, an agent must match all filters. With `or`, an agent must match at least one filter. */
  matchType: "and" | "or";
  /** Conditions that agents must match. */
  filters: LabelFilter[];
  /** Identifier of the label. The service ignores the `id` in a request, because it assigns all identifiers. */
  id?: string;
  /** Color of the label in the service's UI. Default: `#d9d9d9`. */
  color?: string;
}

/** Request body to update a label. Members that an update omits keep their values (docs/service/labels.md, Recorded calls). */
export interface LabelUpdate {
  /** Identifier of the label. The service ignores the `id` in a request, because it assigns all identifiers. */
  id?: string;
  /** Display name of the label. The service's UI accepts at most 64 characters. */
  name?: string;
  /** Color of the label in the service's UI. Default: `#d9d9d9`. */
  color?: string;
  /** With `and`, an agent must match all filters. With `or`, an agent must match at least one filter. */
  matchType?: "and" | "or";
  /** Conditions that agents must match. */
  filters?: LabelFilter[];
}

/** A label, with its filters. */
export interface LabelRecord {
  /** Identifier of the label. */
  id: string;
  /** Display name. */
  name?: string;
  /** Color of the label in the service's UI, such as `#d9d9d9`. */
  color?: string;
  /** With `and`, an agent must match all filters. With `or`, an agent must match at least one filter. */
  matchType?: string;
  /** Conditions that agents must match. The service returns filters only if `expand` contains `filters`. */
  filters?: {
    /** Agent attribute that the filter compares, such as `hostname` or `platform`. */
    key: string;
    /** Values that the filter compares with the attribute. */
    values: string[];
    /** `in` matches agents with one of the values. `not-in` matches agents without any of the values. */
    mode?: string;
  }[];
  /** Links, such as the link to the record itself. */
  _links?: SelfLinks;
}

/** A page of labels. */
export interface LabelPage {
  /** The labels of the page. */
  labels: LabelRecord[];
  /** Links, such as the link to the next page. */
  _links?: PageLinks;
}
