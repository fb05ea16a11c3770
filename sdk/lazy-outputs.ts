import { inspect } from "node:util";
import * as pulumi from "./pulumi";

type OutputTransfer = typeof pulumi.rpc.transferProperties;
type Resolver = ReturnType<OutputTransfer>[string];

/**
 * Marks resources with lazy outputs, and marks the SDK's module after its function was replaced. All copies of this package use
 * it.
 */
const lazyOutputs: unique symbol = Symbol.for("pulumi-endpoint-monitoring.lazyOutputs");

interface Marked {
  readonly [lazyOutputs]?: boolean;
}

// The SDK's modules call the function as a property of the module that exports it.
const rpc: Marked & { readonly transferProperties: OutputTransfer } = pulumi.rpc;

/**
 * Lets the SDK create an output of this package only when a program first reads it.
 *
 * While the SDK registers a resource, it creates all outputs of the resource, each with about 20 promises. These promises take
 * two thirds of the time for the resource, and a program reads few of the outputs. If the function cannot be replaced, or if
 * another version of the SDK does not call it, the SDK creates all outputs itself.
 */
export function makeOutputsLazily(): void {
  if (rpc[lazyOutputs] || !areLazy()) return;
  const { transferProperties: transfer } = rpc;
  const transferLazily: OutputTransfer = (resource, label, inputs) =>
    (resource as Marked)[lazyOutputs] ? defineOutputs(transfer, resource, label, inputs) : transfer(resource, label, inputs);
  if (Reflect.set(rpc, lazyOutputs, true)) Reflect.set(rpc, "transferProperties", transferLazily);
}

/** Members of the prototype of resources with lazy outputs. */
export const lazyMembers: PropertyDescriptorMap & ThisType<object> = {
  [lazyOutputs]: { get: areLazy },
  // Node calls this function before it prints the properties of a resource.
  [inspect.custom]: {
    value() {
      readOutputs(this);
      return this;
    },
  },
  // Pulumi reads this property before it serializes the properties of a resource that a function captures.
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
 * Whether outputs are lazy. They are not lazy with `PULUMI_DEBUG_PROMISE_LEAKS`, because the SDK then reports where it created
 * a promise.
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
    // The SDK has already made `id` and `urn`, and refuses any other property that the resource has.
    if (Object.hasOwn(resource, name)) transferTo(resource);
    else resolvers[name] = defineOutput(resource, name, transferTo);
  }
  return resolvers;
}

/** Lets the SDK define an output as a property of an object. Returns the function that resolves the output. */
type Transfer = (target: pulumi.Resource) => Resolver | undefined;

/**
 * Defines a property that becomes the SDK's output when it is first read.
 *
 * @returns a function that takes the engine's answer, with which the SDK resolves the output
 */
function defineOutput(resource: pulumi.Resource, name: string, transferTo: Transfer): Resolver {
  const property = { enumerable: true, configurable: true };
  const withValue = (value: unknown): PropertyDescriptor => ({ ...property, writable: true, value });
  let answer: Parameters<Resolver> | undefined;
  let resolve: Resolver | undefined;
  let output: unknown;
  const make = (): unknown => {
    // The SDK makes an output for a resource or for an array of resources. It skips properties that its target already has.
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
      // A program may have frozen the resource.
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
