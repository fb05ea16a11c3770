import { z } from "zod";

export interface Property<S extends z.ZodType = z.ZodType> {
  /**
   * Allowed values. A default in the schema must be the service's default. A program that omits the property restores the
   * default.
   */
  readonly schema: S;
  /**
   * The request that sets the property. By default, create requests and update requests set the property. If only a create
   * request sets the property, a changed value replaces the resource.
   */
  readonly setOn?: "create" | "update";
  /**
   * The role of a property that the provider does not send to the service. A `provider-option` controls the provider. A
   * `local` property is stored in the state only.
   */
  readonly role?: "provider-option" | "local";
  /** Whether the service never returns the property. The state keeps the last applied value, so drift is not visible. */
  readonly writeOnly?: true;
  readonly secret?: true;
  /**
   * Whether the service chooses a value when the program omits the property. An omitted property never counts as a change.
   */
  readonly leftToService?: true;
  /**
   * The value that the service chooses if the program omits the property. Imported programs omit a value that the service
   * would choose.
   */
  readonly serviceChoice?: unknown;
  /**
   * Values that the service may return but that no request accepts. A program may declare a service-only value if the record
   * already has the value.
   */
  readonly reportedOnly?: readonly string[];
  /** Registry name of the resource type that the property's ids refer to. */
  readonly refersTo?: string;
  /** Whether the property contains ids of records of any resource type. */
  readonly holdsIds?: true;
  /** Whether the service treats two values as equal. By default, two values are equal if their JSON is equal. */
  readonly same?: (a: unknown, b: unknown) => boolean;
  /** Limits in older versions of the service, which may reduce a larger number to the limit. */
  readonly bounds?: readonly number[];
  /** Returns a value as a person would write it, if the service returns a longer form. */
  readonly normalize?: (value: unknown) => unknown;
  /**
   * Reads the property from a record. Returns undefined if the answer omits the property, and null if the record has no
   * value. By default, the property has the same name in the record.
   */
  // Shared code passes only records of the resource type that declares the property.
  readonly read?: (record: never) => unknown;
}

/** The properties of a resource type by name, in the order of a program's declaration. */
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
