import type * as pulumi from "@pulumi/pulumi";
import type { endpointAgentTag } from "../provider/resources/endpoint-agent-tag";
import { classes } from "./generated/classes";
import type { AccountGroupProperties, CommonOutputs } from "./common";
import { checkedClass, Resource, type ResourceClass } from "./resource";
import type { KnownLabelFilterKey } from "./label";
import type { Agrees } from "./agrees";
import type { ArgumentOutputs, Outputs } from "./types";

/** Agent attribute that a tag filter compares. Tag filters support all attributes that label filters support, and six more. */
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
   * Agent attribute to compare: an attribute that label filters support, or `location`, `serial-number`, `nic-model`,
   * `nic-driver-version`, `proxy-target` or `vpn-target`. With `scope: "custom"`, `key` is a key of the metadata that your
   * agents send at check-in.
   */
  key: pulumi.Input<string>;
  /**
   * With `in`, the attribute must have one of the values. With `not-in`, the attribute must not have any of the values.
   * Default: `in`.
   */
  mode?: pulumi.Input<"in" | "not-in"> | undefined;
  /**
   * With `default`, the key is an attribute of the agent. With `custom`, the key is a key in your own agent metadata. Default:
   * `default`.
   */
  scope?: pulumi.Input<"default" | "custom"> | undefined;
  /**
   * Values to compare with the attribute, at least one, in any order. The service does not document the syntax of values in tag
   * filters. Wildcards, networks and platform names probably work as in label filters.
   */
  values: pulumi.Input<pulumi.Input<string>[]>;
}

// The most common filter type is the last member of the union, because the compiler's error messages describe the last member.

/** A condition on metadata that your agents send at check-in. Only the service can determine the matching agents. */
export interface CustomTagFilter extends EndpointAgentTagFilter {
  scope: "custom";
}

/** A condition on an agent attribute. */
export interface DefaultTagFilter extends EndpointAgentTagFilter {
  key: pulumi.Input<EndpointAgentTagFilterKey>;
  scope?: "default" | undefined;
}

/** One condition of a tag. */
export type EndpointAgentTagFilterArgs = CustomTagFilter | DefaultTagFilter;

/** Properties of an {@link EndpointAgentTag}, except its filters. */
export interface EndpointAgentTagProperties extends AccountGroupProperties {
  /** Key of the tag, at least 1 character. The combination of `key` and `value` must be unique. */
  key: pulumi.Input<string>;
  /** Value of the tag, at least 1 character. */
  value: pulumi.Input<string>;
  /** Color of the tag in the ThousandEyes UI, as `#rrggbb`. Default: `#A7EB10`. */
  color?: pulumi.Input<string> | undefined;
  /** Icon of the tag in the ThousandEyes UI. The service does not document the available icons. Default: `LABEL`. */
  icon?: pulumi.Input<string> | undefined;
  /** Free-form description of the tag. If omitted, the tag has no description. */
  description?: pulumi.Input<string> | undefined;
  /** With `and`, an agent must match all filters. With `or`, an agent must match at least one filter. */
  matchType: pulumi.Input<"and" | "or">;
  /**
   * Whether the provider adopts and updates an existing tag with the same key and value instead of creating a tag. `adopt` may
   * stay in the program, because it has no effect on existing resources. Default: false. Without `adopt`, the tag's creation
   * fails if a tag with the same key and value exists.
   */
  adopt?: pulumi.Input<boolean> | undefined;
}

/** Arguments of an {@link EndpointAgentTag}. */
export interface EndpointAgentTagArgs extends EndpointAgentTagProperties {
  /** Conditions that an agent must meet to have the tag, at least one, in any order. */
  filters: pulumi.Input<pulumi.Input<EndpointAgentTagFilterArgs>[]>;
}

/** Arguments of a tag, with a single type for all filters so that the compiler can compare the arguments with the schema. */
interface FlatArgs extends EndpointAgentTagProperties {
  /** Conditions that an agent must meet to have the tag. */
  filters: pulumi.Input<pulumi.Input<EndpointAgentTagFilter>[]>;
}

/** Outputs of a tag, in addition to its arguments. */
export interface EndpointAgentTagOutputs {
  /** Id of a label that may represent the same object as the tag. Manage the object as a label or as a tag, but not as both. */
  legacyId?: number;
}

// The SDK defines the outputs at run time, so an interface declares the outputs instead of the class.
//
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface EndpointAgentTag
  extends
    ArgumentOutputs<Omit<FlatArgs, keyof AccountGroupProperties | "adopt">, "color" | "icon" | "description">,
    Outputs<EndpointAgentTagOutputs>,
    Outputs<CommonOutputs> {}

/**
 * A tag of endpoint agents, which groups agents with common attributes. A test with `agentSelectorType: "agent-tags"` selects
 * the agents of a tag by the tag's `id`. Tags are the successors of labels.
 *
 * The service uses a tag's filters to find the matching agents, but does not return the list of agents. Reviews and previews of
 * a tag report how many agents certainly match and how many agents possibly match. A match is uncertain if a filter uses
 * `location`, `proxy-target`, `vpn-target` or your own metadata. A match is also uncertain if a filter value has an
 * undocumented syntax, such as a wildcard or a network.
 *
 * To create or change a tag of endpoint agents, the token needs the permission "Edit tags". The token also needs all
 * permissions for viewing personal data of endpoint agents. The service does not document its response to a tag update. An
 * update sends the whole tag, and fails if the service's response differs from the declared tag.
 *
 * Changing `accountGroupId` deletes the tag and creates a new tag with another id. Replacing the tag also replaces the
 * resources that refer to the tag.
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
