import { z } from "zod";

/** One property of a kind, declared once: everything the provider knows about it. */
export interface Property<S extends z.ZodType = z.ZodType> {
  /** What values it takes. A default is the service's documented one, so that removing the property goes back to it. */
  readonly schema: S;
  /**
   * Which request takes it: `create` alone, so that changing it replaces the resource; `update` alone, so that a create that
   * declares it is followed by an update. Left out, both take it.
   */
  readonly setOn?: "create" | "update";
  /**
   * What it is for, where it is not sent to the service: `provider-option` steers the provider, and is neither compared nor kept in
   * state; `local` is kept in state alone, so that a change of it is only recorded, or replaces where only a create takes it.
   */
  readonly role?: "provider-option" | "local";
  /** True where no answer holds it: state keeps what was last applied, and drift in it cannot be seen. */
  readonly writeOnly?: true;
  /** True where its value is always a secret. */
  readonly secret?: true;
  /** True where the service chooses a value when it is left out; then it is not compared. */
  readonly leftToService?: true;
  /** Values that the service reports and no request takes: a program may declare a record that has one. Never sent. */
  readonly reportedOnly?: readonly string[];
  /** The kind, by its name in the registry, whose resources' ids it holds: one, or a list. */
  readonly refersTo?: string;
  /** Compares two values, folding what the service folds. Left out, they are compared as JSON. */
  readonly same?: (a: unknown, b: unknown) => boolean;
  /** A value as a person would write it, where the service writes it more fully; `same` to the original. */
  readonly normalize?: (value: unknown) => unknown;
  /** Its value in a record. Left out, the member of its name. */
  // Each kind declares the record it reads; shared code hands in records of that kind only.
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

/** The schema of what a program may declare: its properties and no others. */
export function schemaOf<M extends PropertyMap>(properties: M): SchemaOf<M> {
  const shape = Object.fromEntries(Object.entries(properties).map(([name, { schema }]) => [name, schema]));
  // The shape has exactly the names of M, each with its schema.
  return z.strictObject(shape) as unknown as SchemaOf<M>;
}

/** The same properties, each of which only a create takes. */
export function createOnly<const M extends PropertyMap>(properties: M): M {
  const entries = Object.entries(properties).map(([name, declared]) => [name, { ...declared, setOn: "create" }]);
  // Names and schemas are those of M.
  return Object.fromEntries(entries) as M;
}
