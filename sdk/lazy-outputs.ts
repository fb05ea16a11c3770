import * as pulumi from "./pulumi";

type OutputTransfer = typeof pulumi.rpc.transferProperties;
type Resolver = ReturnType<OutputTransfer>[string];

// The functions of the SDK's module are the properties of an object, which its other modules call them on.
const rpc = pulumi.rpc as { transferProperties: OutputTransfer };

/** Functions that were put before the SDK's own here. */
const lazy = new WeakSet<OutputTransfer>();

/**
 * Has the outputs of this package's resources made when a program first uses them.
 *
 * Pulumi's SDK makes all outputs of a resource while it registers it, each of about 20 promises. A program uses few of them, and the
 * others take more time than all else that it does for the resource. The SDK's own function makes an output when it is used, so it is
 * what it would have been.
 *
 * @param namesOf names of all outputs of a resource of this package; undefined for any other resource
 * @returns whether it has. If not, the SDK makes the outputs that are among the arguments of a resource: with
 *   `PULUMI_DEBUG_PROMISE_LEAKS`, which looks for promises, and where another tool or a later SDK fixed that function
 */
export function makeOutputsLazily(namesOf: (resource: pulumi.Resource) => readonly string[] | undefined): boolean {
  if (process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) return false;
  const { transferProperties: transfer } = rpc;
  if (lazy.has(transfer)) return true;
  if (Object.getOwnPropertyDescriptor(rpc, "transferProperties")?.writable !== true) return false;
  rpc.transferProperties = (resource, label, inputs) => {
    const names = namesOf(resource);
    if (!names || process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) return transfer(resource, label, inputs);
    const missing = names.filter((name) => !Object.hasOwn(resource, name));
    return transferLazily(transfer, resource, label, new Set([...Object.keys(inputs), ...missing]), inputs);
  };
  lazy.add(rpc.transferProperties);
  return true;
}

function transferLazily(
  transfer: OutputTransfer,
  resource: pulumi.Resource,
  label: string,
  names: ReadonlySet<string>,
  inputs: pulumi.Inputs,
): Record<string, Resolver> {
  // The SDK keeps an output in the resource, under its name.
  const outputs = resource as unknown as Record<string, object>;
  const resolvers: Record<string, Resolver> = {};
  for (const name of names) {
    // The SDK makes these two itself, and refuses a property that the resource already has.
    if (name === "id" || name === "urn" || Object.hasOwn(resource, name)) {
      Object.assign(resolvers, transfer(resource, label, { [name]: inputs[name] as unknown }));
      continue;
    }
    const output = new LazyOutput(() => {
      const proxy = outputs[name];
      delete outputs[name];
      const resolver = transfer(resource, label, { [name]: inputs[name] as unknown })[name];
      const made = outputs[name];
      if (!resolver || !made) throw new Error(`The SDK made no output ${name} of ${label}`);
      // A program that holds the output finds the same one at the resource.
      if (proxy) outputs[name] = proxy;
      return { made, resolver };
    });
    outputs[name] = new Proxy({}, output);
    resolvers[name] = output.resolver;
  }
  return resolvers;
}

/** An output that is made when something is first asked of it. */
class LazyOutput implements ProxyHandler<object> {
  #output: { readonly made: object; readonly resolver: Resolver } | undefined;
  #answer: Parameters<Resolver> | undefined;

  constructor(private readonly make: () => { readonly made: object; readonly resolver: Resolver }) {}

  /** Takes the engine's answer, with which the SDK resolves the output. */
  readonly resolver: Resolver = (...answer) => {
    this.#answer = answer;
    this.#output?.resolver(...answer);
  };

  get made(): object {
    if (!this.#output) {
      this.#output = this.make();
      if (this.#answer) this.#output.resolver(...this.#answer);
    }
    return this.#output.made;
  }

  get(_: object, name: string | symbol): unknown {
    return Reflect.get(this.made, name);
  }
  set(_: object, name: string | symbol, value: unknown): boolean {
    return Reflect.set(this.made, name, value);
  }
  has(_: object, name: string | symbol): boolean {
    return Reflect.has(this.made, name);
  }
  ownKeys(): (string | symbol)[] {
    return Reflect.ownKeys(this.made);
  }
  getOwnPropertyDescriptor(_: object, name: string | symbol): PropertyDescriptor | undefined {
    return Reflect.getOwnPropertyDescriptor(this.made, name);
  }
  getPrototypeOf(): object | null {
    return Reflect.getPrototypeOf(this.made);
  }
}
