import type * as pulumi from "@pulumi/pulumi";
import type { endpointAgentTag } from "../provider/resources/endpoint-agent-tag";
import { classes } from "./generated/classes";
import type { AccountGroupProperties, CommonOutputs } from "./common";
import { checkedClass, Resource, type ResourceClass } from "./resource";
import type { KnownLabelFilterKey } from "./label";
import type { Agrees } from "./agrees";
import type { ArgumentOutputs, Outputs } from "./types";

/** Agent attribute that a tag filter compares: the attributes of labels, and six more. */
export type EndpointAgentTagFilterKey =
  | KnownLabelFilterKey
  | "location"
  | "serial-number"
  | "nic-model"
  | "nic-driver-version"
  | "proxy-target"
  | "vpn-target";

/** One condition of a tag. `EndpointAgentTagFilterArgs` defines the allowed combinations of `scope` and `key`. */
export interface EndpointAgentTagFilter {
  /**
   * Agent attribute to compare: an attribute of labels, or `location`, `serial-number`, `nic-model`, `nic-driver-version`,
   * `proxy-target` or `vpn-target`. With `scope: "custom"`: a key of the metadata that your agents send at check-in.
   */
  key: pulumi.Input<string>;
  /** `in`: the attribute has one of the values. `not-in`: it has no value of the list. Default: `in`. */
  mode?: pulumi.Input<"in" | "not-in"> | undefined;
  /** `default`: the key is an attribute of the agent. `custom`: the key belongs to your own metadata. Default: `default`. */
  scope?: pulumi.Input<"default" | "custom"> | undefined;
  /**
   * Values to compare with, at least one. Their order does not matter. The service does not document their syntax for tags.
   * Wildcards, networks and names of platforms probably mean the same as in labels.
   */
  values: pulumi.Input<pulumi.Input<string>[]>;
}

// If no member of the union matches, the compiler's message is about the last member. So the member without a scope comes last.

/** A condition on metadata that your agents send at check-in. Only the service knows the matching agents. */
export interface CustomTagFilter extends EndpointAgentTagFilter {
  scope: "custom";
}

/** A condition on an attribute of agents. */
export interface DefaultTagFilter extends EndpointAgentTagFilter {
  key: pulumi.Input<EndpointAgentTagFilterKey>;
  scope?: "default" | undefined;
}

/** One condition of a tag. */
export type EndpointAgentTagFilterArgs = CustomTagFilter | DefaultTagFilter;

/** Properties of an {@link EndpointAgentTag}, except its filters. */
export interface EndpointAgentTagProperties extends AccountGroupProperties {
  /** Key of the tag, at least 1 character. Key and value together are unique. */
  key: pulumi.Input<string>;
  /** Value of the tag, at least 1 character. */
  value: pulumi.Input<string>;
  /** Color on the product's pages, `#rrggbb`. Default: `#A7EB10`. */
  color?: pulumi.Input<string> | undefined;
  /** Icon on the product's pages. The service does not document the available icons. Default: `LABEL`. */
  icon?: pulumi.Input<string> | undefined;
  /** Free text. If omitted, the tag has no description. */
  description?: pulumi.Input<string> | undefined;
  /** `and`: an agent must match all filters. `or`: one matching filter is enough. */
  matchType: pulumi.Input<"and" | "or">;
  /**
   * Adopts the existing tag with the same key and value instead of creating a new one, and updates its properties as declared.
   * Existing resources ignore it, so it may stay in the program. Default: false. Then the update fails if such a tag exists.
   */
  adopt?: pulumi.Input<boolean> | undefined;
}

/** Arguments of an {@link EndpointAgentTag}. */
export interface EndpointAgentTagArgs extends EndpointAgentTagProperties {
  /** Conditions that an agent must meet to have the tag, at least one. Their order does not matter. */
  filters: pulumi.Input<pulumi.Input<EndpointAgentTagFilterArgs>[]>;
}

/** Arguments with a single form of filters, for the comparison with the kind. */
interface FlatArgs extends EndpointAgentTagProperties {
  /** Conditions that an agent must meet to have the tag. */
  filters: pulumi.Input<pulumi.Input<EndpointAgentTagFilter>[]>;
}

/** Outputs that a tag has, in addition to its arguments. */
export interface EndpointAgentTagOutputs {
  /**
   * Number of the tag in the series of label ids. A label with this id may be the same object in the service, so manage only
   * one of them.
   */
  legacyId?: number;
}

// The engine fills in the outputs.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface EndpointAgentTag
  extends
    ArgumentOutputs<Omit<FlatArgs, keyof AccountGroupProperties | "adopt">, "color" | "icon" | "description">,
    Outputs<EndpointAgentTagOutputs>,
    Outputs<CommonOutputs> {}

/**
 * A tag of endpoint agents: a group of agents that share attributes. Tests select agents by its `id`, with `agentSelectorType:
 * "agent-tags"`. Tags are the successor of labels.
 *
 * The service computes the agents of a tag from its filters and does not return them. So a review and a preview report how many
 * agents match for certain, and how many may match. The match is uncertain for filters by `location`, `proxy-target`,
 * `vpn-target` or your own metadata, and for values with an undocumented syntax, such as wildcards and networks.
 *
 * To create or change such a tag, the token needs the permission "Edit tags", and all permissions to view personal data of
 * endpoint agents. The service's answer to an update of such a tag was never recorded. So an update sends the whole tag and
 * compares the answer with it. The update fails if they differ.
 *
 * Changing a property marked "Changing it replaces" deletes the tag and creates a new one. The tag gets a new id, and resources
 * that refer to it are replaced as well.
 *
 * @example
 * ```ts
 * const emea = new EndpointAgentTag("emea", {
 *   key: "team",
 *   value: "emea",
 *   matchType: "or",
 *   filters: [{ key: "hostname", values: ["emea-*"] }],
 * });
 * ```
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export class EndpointAgentTag extends Resource<EndpointAgentTagArgs> {
  /** @internal */
  static override readonly of: ResourceClass = checkedClass<
    Agrees<typeof endpointAgentTag, typeof classes.EndpointAgentTag, FlatArgs, EndpointAgentTag>
  >(classes.EndpointAgentTag);
}
