// Written by `npm run generate` from the schemas; change it there.
import type { PageLinks, SelfLinks } from "./common";

/** One condition of a label. */
export interface LabelFilter {
  /** Attribute of the agent that is compared. */
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
   * Values to compare with. `*` and `?` stand for any text and any character in `ssid`, `hostname` and `username`; other
   * keys take exact values, IP addresses or networks.
   */
  values: string[];
  /** `in`: the attribute must be among the values; `not-in`: it must not be. Default: `in` (inferred). */
  mode?: "in" | "not-in";
}

/** Body of a label create. */
export interface LabelRequest {
  /** Display name. The product's UI takes at most 64 characters. */
  name: string;
  /** Whether an agent must match all filters (`and`) or one (`or`). */
  matchType: "and" | "or";
  /** Conditions that agents are compared with. */
  filters: LabelFilter[];
  /** Taken and ignored: the service gives each label an id of its own. */
  id?: string;
  /** Color in the product's UI, such as `#d9d9d9`, which is the default. */
  color?: string;
}

/** Body of a label update. Members that are left out keep their values. */
export interface LabelUpdate {
  /** Taken and ignored: the service gives each label an id of its own. */
  id?: string;
  /** Display name. The product's UI takes at most 64 characters. */
  name?: string;
  /** Color in the product's UI, such as `#d9d9d9`, which is the default. */
  color?: string;
  /** Whether an agent must match all filters (`and`) or one (`or`). */
  matchType?: "and" | "or";
  /** Conditions that agents are compared with. */
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
  /** Whether an agent must match all filters (`and`) or one (`or`). */
  matchType?: string;
  /** Conditions that agents are compared with. The service leaves them out of a read without `filters` in `expand`. */
  filters?: {
    /** Attribute of the agent that is compared, such as `hostname` or `platform`. */
    key: string;
    /** Values to compare with. */
    values: string[];
    /** `in`: the attribute must be among the values; `not-in`: it must not be. */
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
