// Written by `npm run generate` from the schemas; change it there.
import type { PageLinks, SelfLinks } from "./common";

/** One condition of a label. */
export interface LabelFilter {
  /** Agent attribute to compare. */
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
   * Values to compare with. `*` matches any text and `?` any character in `ssid`, `hostname` and `username`. Other keys have
   * exact values, IP addresses or networks.
   */
  values: string[];
  /** `in`: the attribute has one of the values. `not-in`: it has no value of the list. Default: `in` (inferred). */
  mode?: "in" | "not-in";
}

/** Body of a label create. */
export interface LabelRequest {
  /** Display name. The product's UI accepts at most 64 characters. */
  name: string;
  /** `and`: an agent must match all filters. `or`: one matching filter is enough. */
  matchType: "and" | "or";
  /** Conditions on agents. */
  filters: LabelFilter[];
  /** Ignored: the service assigns an id to each label. */
  id?: string;
  /** Color in the product's UI. Default: `#d9d9d9`. */
  color?: string;
}

/** Body of a label update. Omitted members keep their values. */
export interface LabelUpdate {
  /** Ignored: the service assigns an id to each label. */
  id?: string;
  /** Display name. The product's UI accepts at most 64 characters. */
  name?: string;
  /** Color in the product's UI. Default: `#d9d9d9`. */
  color?: string;
  /** `and`: an agent must match all filters. `or`: one matching filter is enough. */
  matchType?: "and" | "or";
  /** Conditions on agents. */
  filters?: LabelFilter[];
}

/** A label, with its filters. */
export interface LabelRecord {
  /** Identifier of the label. */
  id: string;
  /** Display name. */
  name?: string;
  /** Color in the product's UI, such as `#d9d9d9`. */
  color?: string;
  /** `and`: an agent must match all filters. `or`: one matching filter is enough. */
  matchType?: string;
  /** Conditions on agents. The service omits them in a read without `filters` in `expand`. */
  filters?: {
    /** Agent attribute to compare, such as `hostname` or `platform`. */
    key: string;
    /** Values to compare with. */
    values: string[];
    /** `in`: the attribute has one of the values. `not-in`: it has no value of the list. */
    mode?: string;
  }[];
  /** Links of the record. */
  _links?: SelfLinks;
}

/** A page of labels. */
export interface LabelPage {
  /** The labels of the page. */
  labels: LabelRecord[];
  /** Links of the page. */
  _links?: PageLinks;
}
