import type * as pulumi from "@pulumi/pulumi";
import type { label } from "../provider/resources/label";
import { classes } from "./generated/classes";
import type { CommonOutputs, RecordProperties } from "./common";
import { checkedClass, Resource, type ResourceClass } from "./resource";
import type { Agrees } from "./agrees";
import type { ArgumentOutputs, OpenWord, Outputs } from "./types";

/** Documented agent attributes that a label filter can compare. */
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
 * Agent attribute that a label filter compares. The provider accepts unlisted attributes with a warning, because the service
 * may add attributes.
 */
export type LabelFilterKey = OpenWord<KnownLabelFilterKey>;

/** One condition of a label. */
export interface LabelFilterArgs {
  /** Agent attribute that the filter compares. */
  key: pulumi.Input<LabelFilterKey>;
  /**
   * With `in`, the attribute must have one of the values. With `not-in`, the attribute must not have any of the values.
   * Default: `in`.
   */
  mode?: pulumi.Input<"in" | "not-in"> | undefined;
  /**
   * Values to compare with the attribute, at least one, in any order. In values for `ssid`, `hostname` and `username`, `*`
   * matches any text and `?` matches one character. For a network attribute, a value is an IP address or a CIDR block. Unless
   * an attribute supports wildcards or networks, a value must equal the whole attribute.
   */
  values: pulumi.Input<pulumi.Input<string>[]>;
}

/** Arguments of a {@link Label}. */
export interface LabelArgs extends RecordProperties {
  /** Display name, 1 to 64 characters (the limit in the ThousandEyes UI). */
  name: pulumi.Input<string>;
  /** Color of the label in the ThousandEyes UI, as `#rrggbb`. Default: `#d9d9d9`. */
  color?: pulumi.Input<string> | undefined;
  /** With `and`, an agent must match all filters. With `or`, an agent must match at least one filter. */
  matchType: pulumi.Input<"and" | "or">;
  /**
   * Conditions that an agent must meet to have the label, in any order. The service evaluates the conditions each time an agent
   * checks in.
   */
  filters: pulumi.Input<pulumi.Input<LabelFilterArgs>[]>;
}

// The SDK defines the outputs at run time, so an interface declares the outputs instead of the class.
//
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface Label extends ArgumentOutputs<Omit<LabelArgs, keyof RecordProperties>, "color">, Outputs<CommonOutputs> {}

/**
 * A label, which groups agents with common attributes. Tests select the agents of a label by the label's `id`.
 *
 * Changing `accountGroupId` deletes the label and creates a new label with another id. Replacing the label also replaces the
 * resources that refer to the label.
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
