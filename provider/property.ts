import { z } from "zod";

export interface Property<S extends z.ZodType = z.ZodType> {
  /**
   * Allowed values. A default in the schema must be the service's default, because a program that omits the property restores
   * the schema's default.
   */
  readonly schema: S;
  /**
   * The only request that can set the property. By default, create requests and update requests set the property. If only a create request
   * can set the property, a change to the property replaces the resource.
   */
  readonly setOn?: "create" | "update";
  /**
   * The role of a property that the provider does not send to the service. A `provider-option` controls the provider. A `local` property
   * exists only in the state.
   */
  readonly role?: "provider-option" | "local";
  /**
   * Whether the service never returns the property. The state contains the last applied value, so the provider cannot detect drift of the
   * property.
   */
  readonly writeOnly?: true;
  readonly secret?: true;
  /**
   * Whether the service chooses a value when the program omits the property. An omitted property never counts as a change.
   */
  readonly leftToService?: true;
  /**
   * The value that the service chooses if the program omits the property. The command `endpoint-monitoring import` omits a
   * property with this value from the program.
   */
  readonly serviceChoice?: unknown;
  /**
   * Values that the service may return but that no request accepts. A program may declare a value from this list only if the
   * record already has the value.
   */
  readonly reportedOnly?: readonly string[];
  /** Name of the referenced resource type in the registry, if the property contains record ids. */
  readonly refersTo?: string;
  /** Whether the property contains record ids of any resource type. */
  readonly holdsIds?: true;
  /** Whether the service treats two values as equal. By default, two values are equal if their JSON is equal. */
  readonly same?: (a: unknown, b: unknown) => boolean;
  /** Limits that older versions of the service enforce. An older version may reduce a number that exceeds the limit to the limit. */
  readonly bounds?: readonly number[];
  /** Converts a value from the service's longer form to the short form that a person would write. */
  readonly normalize?: (value: unknown) => unknown;
  /**
   * Reads the property from a record. Returns undefined if the service's response omits the property, and null if the property has no
   * value. By default, the provider reads the record's member with the property's name.
   */
  // The type `never` lets each property declare its own record type. Callers pass only records of the property's resource type.
  readonly read?: (record: never) => unknown;
}

/** A resource type's properties by name, in declaration order. */
export type PropertyMap = Readonly<Record<string, Property>>;

export type SchemaOf<M extends PropertyMap> = z.ZodObject<{ -readonly [P in keyof M]: M[P]["schema"] }, z.core.$strict>;

export function property<S extends z.ZodType>(schema: S, facts: Omit<Property, "schema"> = {}): Property<S> {
  return { ...facts, schema };
}

export function schemaOf<M extends PropertyMap>(properties: M): SchemaOf<M> {
  const shape = Object.fromEntries(Object.entries(properties).map(([name, { schema }]) => [name, schema]));
  return z.strictObject(shape) as unknown as SchemaOf<M>;
}

export function createOnly<const M extends PropertyMap>(properties: M): M {
  const entries = Object.entries(properties).map(([name, declared]) => [name, { ...declared, setOn: "create" }]);
  return Object.fromEntries(entries) as M;
}

/** Properties that all resource types with records have. */
export const commonProperties = {
  accountGroupId: property(z.string().min(1).optional(), { setOn: "create", leftToService: true }),
  adopt: property(z.boolean().optional(), { role: "provider-option" }),
};
