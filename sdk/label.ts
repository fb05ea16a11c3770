import type * as pulumi from "@pulumi/pulumi";
import type { label } from "../provider/resources/label";
import { classes } from "./generated/classes";
import type { CommonOutputs, RecordProperties } from "./common";
import { checkedClass, Resource, type ResourceClass } from "./resource";
import type { Agrees } from "./agrees";
import type { ArgumentOutputs, OpenWord, Outputs } from "./types";

/** Known agent attributes that a filter of a label compares. */
export type KnownLabelFilterKey =
  | "agent-id"
  | "public-network"
  | "local-network"
  | "connection"
  | "gateway"
  | "platform"
  | "agent-type"
  | "vpn-vendor"
  | "vpn-gateway-address"
  | "vpn-client-network"
  | "vpn-client-address"
  | "ip-address-family"
  | "ssid"
  | "bssid"
  | "hostname"
  | "username"
  | "asn";

/**
 * Agent attribute that a filter of a label compares. Other values are accepted with a warning, since the service may support
 * more.
 */
export type LabelFilterKey = OpenWord<KnownLabelFilterKey>;

/** One condition of a label. */
export interface LabelFilterArgs {
  /** Agent attribute to compare. */
  key: pulumi.Input<LabelFilterKey>;
  /** `in`: the attribute has one of the values. `not-in`: it has no value of the list. Default: `in`. */
  mode?: pulumi.Input<"in" | "not-in"> | undefined;
  /**
   * Values to compare with, at least one. Their order does not matter. The wildcards `*` (any run of characters) and `?` (one character)
   * work in `ssid`, `hostname` and `username`. Networks are IP addresses or CIDR blocks. Other attributes must match a value completely.
   */
  values: pulumi.Input<pulumi.Input<string>[]>;
}

/** Arguments of a {@link Label}. */
export interface LabelArgs extends RecordProperties {
  /** Display name, 1 to 64 characters (the limit of the product's pages). */
  name: pulumi.Input<string>;
  /** Color on the product's pages, `#rrggbb`. Default: `#d9d9d9`. */
  color?: pulumi.Input<string> | undefined;
  /** `and`: an agent must match all filters. `or`: one matching filter is enough. */
  matchType: pulumi.Input<"and" | "or">;
  /**
   * Conditions that an agent must meet to have the label. The service evaluates them at every check-in of an agent. Their
   * order does not matter.
   */
  filters: pulumi.Input<pulumi.Input<LabelFilterArgs>[]>;
}

// The engine fills in the outputs.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface Label extends ArgumentOutputs<Omit<LabelArgs, keyof RecordProperties>, "color">, Outputs<CommonOutputs> {}

/**
 * A label: a group of agents that share attributes. Tests select agents by its `id`.
 *
 * Changing a property marked "Changing it replaces" deletes the label and creates a new one. The label gets a new id, and
 * resources that refer to it are replaced as well.
 *
 * @example
 * ```ts
 * const office = new Label("office", {
 *   name: "Office",
 *   matchType: "or",
 *   filters: [{ key: "hostname", values: ["office-*"] }],
 * });
 * ```
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export class Label extends Resource<LabelArgs> {
  /** @internal */
  static override readonly of: ResourceClass = checkedClass<Agrees<typeof label, typeof classes.Label, LabelArgs, Label>>(
    classes.Label,
  );
}
