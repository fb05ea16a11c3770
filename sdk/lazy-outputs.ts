import { inspect } from "node:util";
import * as pulumi from "./pulumi";

type OutputTransfer = typeof pulumi.rpc.transferProperties;
type Resolver = ReturnType<OutputTransfer>[string];

/**
 * Symbol that marks resources with lazy outputs, and the module of Pulumi's SDK that `makeOutputsLazily` has patched. All
 * copies of this package in a process share the symbol.
 */
const lazyOutputs: unique symbol = Symbol.for("pulumi-endpoint-monitoring.lazyOutputs");

interface Marked {
  readonly [lazyOutputs]?: boolean;
}

// The SDK calls `pulumi.rpc.transferProperties`, so replacing this property affects every caller.
const rpc: Marked & { readonly transferProperties: OutputTransfer } = pulumi.rpc;

/**
 * Makes the SDK create an output only when a program first reads the output.
 *
 * By default, the SDK creates about 20 promises for each output of a resource. Creating the promises takes two thirds of a
 * resource's registration time, although programs read few outputs. A version of the SDK that does not support lazy outputs
 * creates all outputs itself.
 */
export function makeOutputsLazily(): void {
  if (rpc[lazyOutputs] || !areLazy()) return;
  const { transferProperties: transfer } = rpc;
  const transferLazily: OutputTransfer = (resource, label, inputs) =>
    (resource as Marked)[lazyOutputs] ? defineOutputs(transfer, resource, label, inputs) : transfer(resource, label, inputs);
  if (Reflect.set(rpc, lazyOutputs, true)) Reflect.set(rpc, "transferProperties", transferLazily);
}

export const lazyMembers: PropertyDescriptorMap & ThisType<object> = {
  [lazyOutputs]: { get: areLazy },
  // `console.log` calls the `inspect.custom` function before it prints a resource.
  [inspect.custom]: {
    value() {
      readOutputs(this);
      return this;
    },
  },
  // Pulumi reads `doNotCapture` before it serializes a resource that a function captures.
  doNotCapture: {
    get() {
      readOutputs(this);
      return false;
    },
  },
};

function readOutputs(resource: object): void {
  for (const name of Object.keys(resource)) Reflect.get(resource, name);
}

/**
 * Whether the SDK creates outputs lazily. The variable `PULUMI_DEBUG_PROMISE_LEAKS` disables lazy outputs, because Pulumi then
 * reports where the SDK created each promise.
 */
function areLazy(): boolean {
  return process.env["ENDPOINT_MONITORING_LAZY_OUTPUTS"] !== "off" && !process.env["PULUMI_DEBUG_PROMISE_LEAKS"];
}

function defineOutputs(
  transfer: OutputTransfer,
  resource: pulumi.Resource,
  label: string,
  inputs: pulumi.Inputs,
): Record<string, Resolver> {
  const resolvers: Record<string, Resolver> = {};
  for (const name of Object.keys(inputs)) {
    const transferTo: Transfer = (target) => transfer(target, label, { [name]: inputs[name] as unknown })[name];
    // The SDK has already created `id` and `urn`, and `transfer` throws an error for any other existing property.
    if (Object.hasOwn(resource, name)) transferTo(resource);
    else resolvers[name] = defineOutput(resource, name, transferTo);
  }
  return resolvers;
}

/** Makes the SDK define an output as a property of `target`, and returns the function that resolves the output. */
type Transfer = (target: pulumi.Resource) => Resolver | undefined;

/**
 * Defines a lazy output as a property of a resource. The SDK creates the output when a program first reads the property.
 *
 * @returns a function that resolves the output with the engine's response
 */
function defineOutput(resource: pulumi.Resource, name: string, transferTo: Transfer): Resolver {
  const property = { enumerable: true, configurable: true };
  const withValue = (value: unknown): PropertyDescriptor => ({ ...property, writable: true, value });
  let answer: Parameters<Resolver> | undefined;
  let resolve: Resolver | undefined;
  let output: unknown;
  const make = (): unknown => {
    // The SDK rejects a target that already has the property, so the target is a new array. `Output` accepts arrays of
    // resources.
    const target = [resource] as unknown as pulumi.Resource;
    resolve = transferTo(target);
    if (answer) resolve?.apply(undefined, answer);
    const created: unknown = Reflect.get(target, name);
    if (!pulumi.Output.isInstance(created)) throw new pulumi.RunError(unsupported(name));
    return created;
  };
  Object.defineProperty(resource, name, {
    ...property,
    get() {
      output ??= make();
      // `Reflect.defineProperty` does not throw if the program has frozen the resource.
      Reflect.defineProperty(resource, name, withValue(output));
      return output;
    },
    set(value: unknown) {
      Object.defineProperty(this, name, withValue(value));
    },
  });
  return (...received) => {
    answer = received;
    resolve?.(...received);
  };
}

function unsupported(name: string): string {
  return (
    `This version of @pulumi/pulumi does not create the output ${name} when the program reads it. Set the environment variable ` +
    "ENDPOINT_MONITORING_LAZY_OUTPUTS to off. The SDK then creates all outputs with their resources."
  );
}
