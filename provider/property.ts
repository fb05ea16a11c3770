import { z } from "zod";

/** The declaration of one property of a kind. */
export interface Property<S extends z.ZodType = z.ZodType> {
  /** Allowed values. A default equals the service's documented default, so that deleting the property restores it. */
  readonly schema: S;
  /**
   * The request that sets it. `create` only: changing it replaces the resource. `update` only: an update follows a create that
   * declares it. By default both requests set it.
   */
  readonly setOn?: "create" | "update";
  /**
   * The role of a property that is not sent to the service. A `provider-option` controls the provider. It is neither compared
   * nor stored in state. A `local` property is stored in state only. A change is recorded without a request, or replaces the
   * resource if the property is create-only.
   */
  readonly role?: "provider-option" | "local";
  /** True if the service never returns it. The state keeps the last applied value, and drift is not visible. */
  readonly writeOnly?: true;
  /** True if its value is always a secret. */
  readonly secret?: true;
  /** True if the service chooses a value when the program omits it. An omitted property is not compared. */
  readonly leftToService?: true;
  /**
   * The value that the service chooses if the program omits the property, if it is known. Imported programs omit that value.
   */
  readonly serviceChoice?: unknown;
  /** Values that the service may report but no request accepts. A program may declare such a value for a record that has it. */
  readonly reportedOnly?: readonly string[];
  /** Registry name of the kind that its id or ids refer to. */
  readonly refersTo?: string;
  /** True if it holds ids of records of any kind, at any depth. */
  readonly holdsIds?: true;
  /** Whether two values are equal after the service normalizes them. By default they are compared as JSON. */
  readonly same?: (a: unknown, b: unknown) => boolean;
  /** Limits to which a version of the service may reduce a number, in addition to those of the schema. */
  readonly bounds?: readonly number[];
  /**
   * Returns a value as a person would write it, if the service writes a longer form. The two forms are equal according to
   * `same`.
   */
  readonly normalize?: (value: unknown) => unknown;
  /**
   * Reads its value from a record: undefined if the answer omits it, null if the record has no value. By default, it reads the
   * member of the same name.
   */
  // Each kind declares the records that it reads, and shared code passes only records of that kind.
  readonly read?: (record: never) => unknown;
}

/** The properties of a kind by name, in the order of a program's declaration. */
export type PropertyMap = Readonly<Record<string, Property>>;

/** The schema of a kind's inputs. */
export type SchemaOf<M extends PropertyMap> = z.ZodObject<{ -readonly [P in keyof M]: M[P]["schema"] }, z.core.$strict>;

/** Declares a property. */
export function property<S extends z.ZodType>(schema: S, facts: Omit<Property, "schema"> = {}): Property<S> {
  return { ...facts, schema };
}

/** Returns the schema of the inputs, which allows these properties and no others. */
export function schemaOf<M extends PropertyMap>(properties: M): SchemaOf<M> {
  const shape = Object.fromEntries(Object.entries(properties).map(([name, { schema }]) => [name, schema]));
  // The shape has exactly the names of M, each with its schema.
  return z.strictObject(shape) as unknown as SchemaOf<M>;
}

/** Returns the properties as create-only properties. */
export function createOnly<const M extends PropertyMap>(properties: M): M {
  const entries = Object.entries(properties).map(([name, declared]) => [name, { ...declared, setOn: "create" }]);
  // The result has the names and schemas of M.
  return Object.fromEntries(entries) as M;
}

/** Properties that every kind of record has. */
export const commonProperties = {
  accountGroupId: property(z.string().min(1).optional(), { setOn: "create", leftToService: true }),
  adopt: property(z.boolean().optional(), { role: "provider-option" }),
};
