import { z } from "zod";

/** The declaration of one property of a kind. */
export interface Property<S extends z.ZodType = z.ZodType> {
  /** Allowed values. A default is the one that the service documents, so that deleting the property restores it. */
  readonly schema: S;
  /**
   * Which request sets it: `create` alone, so that changing it replaces the resource; or `update` alone, so that an update follows a
   * create that declares it. By default both set it.
   */
  readonly setOn?: "create" | "update";
  /**
   * The role of a property that is not sent to the service. A `provider-option` controls the provider, and is neither compared nor kept
   * in state. A `local` property is kept in state alone: a change is only recorded, or replaces if only a create sets it.
   */
  readonly role?: "provider-option" | "local";
  /** True if the service never returns it. State keeps the value that was last applied, and drift in it is not visible. */
  readonly writeOnly?: true;
  /** True if its value is always a secret. */
  readonly secret?: true;
  /** True if the service chooses a value when the program omits it. An omitted property is not compared. */
  readonly leftToService?: true;
  /** The value that the service chooses if the program leaves the property to it, where that is known. Imported programs omit it. */
  readonly serviceChoice?: unknown;
  /** Values that the service may report and no request accepts. A program may declare them for a record that has one. */
  readonly reportedOnly?: readonly string[];
  /** Registry name of the kind whose ids it holds, one id or a list. */
  readonly refersTo?: string;
  /** True if it holds ids of records of any kind, at whatever depth. */
  readonly holdsIds?: true;
  /** Compares two values as the service normalizes them. By default they are compared as JSON. */
  readonly same?: (a: unknown, b: unknown) => boolean;
  /** Bounds to which a version of the service may cut a number, beside those of the schema. */
  readonly bounds?: readonly number[];
  /** Returns a value as a person would write it, if the service writes a longer form. Both forms are the `same`. */
  readonly normalize?: (value: unknown) => unknown;
  /** Reads its value from a record: undefined if the answer omits it, null if the record has none. By default, the member with its name. */
  // Each kind declares the record that it reads, and shared code passes records of that kind only.
  readonly read?: (record: never) => unknown;
}

/** The properties of a kind by name, in the order in which programs declare them. */
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

/** Returns the same properties, each of which only a create sets. */
export function createOnly<const M extends PropertyMap>(properties: M): M {
  const entries = Object.entries(properties).map(([name, declared]) => [name, { ...declared, setOn: "create" }]);
  // Names and schemas are those of M.
  return Object.fromEntries(entries) as M;
}

/** Properties that every kind of record has. */
export const commonProperties = {
  accountGroupId: property(z.string().min(1).optional(), { setOn: "create", leftToService: true }),
  adopt: property(z.boolean().optional(), { role: "provider-option" }),
};
