/** Uses of outputs and of the resources that have them. Their results are data, so that two results can be compared. */
import { Console } from "node:console";
import { PassThrough } from "node:stream";
import { format, inspect, isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import type { HttpServerTest } from "../../../sdk";

type Members = Record<PropertyKey, unknown>;

/** Returns the members of any value. `Output` and `Resource` have more than their types declare. */
export const membersOf = (value: unknown): Members => value as Members;

/** Returns the result of a use with everything that the outputs in it hold, or the message of the error. */
export async function resultOf(use: (test: HttpServerTest) => unknown, test: HttpServerTest): Promise<unknown> {
  try {
    const result = use(test);
    return await dataOf(result instanceof Promise ? await result : result);
  } catch (error) {
    return { error: (error as Error).message };
  }
}

async function dataOf(value: unknown): Promise<unknown> {
  if (pulumi.Output.isInstance(value)) return outputData(membersOf(value));
  if (pulumi.Resource.isInstance(value)) return `resource ${String(membersOf(value)["__name"])}`;
  if (value instanceof Set || Array.isArray(value)) return Promise.all(Array.from(value, dataOf));
  if (typeof value === "function") return `function ${value.name}`;
  if (typeof value !== "object" || value === null) return value;
  const entries = Reflect.ownKeys(value).map(async (key) => [key, await dataOf(membersOf(value)[key])] as const);
  return Object.fromEntries(await Promise.all(entries));
}

async function outputData(output: Members): Promise<unknown> {
  const call = (name: string, ...args: unknown[]): unknown => (output[name] as (...args: unknown[]) => unknown)(...args);
  return {
    value: await dataOf(await call("promise", true)),
    isKnown: await output["isKnown"],
    isSecret: await output["isSecret"],
    resources: await dataOf(call("resources")),
    allResources: await dataOf(await call("allResources")),
  };
}

function printed(...values: unknown[]): string {
  const stream = new PassThrough();
  new Console(stream).log(...values);
  return withoutPromises(String(stream.read()));
}

/** Replaces the values of promises. An output that is created after the engine's response has them a moment later. */
const withoutPromises = (text: string): string => text.replaceAll(/Promise \{[^}]*\}/g, "Promise");

const frozen = (test: HttpServerTest): HttpServerTest => Object.freeze(test);

class Group extends pulumi.ComponentResource {
  constructor(outputs: pulumi.Inputs) {
    super("test:index:Group", "group");
    this.registerOutputs(outputs);
  }
}

/** Uses of an output. `url` is a string, `unmanagedFields` an object, `unknownFields` an array, `password` a secret. */
const ofOutputs: Record<string, (test: HttpServerTest) => unknown> = {
  "an argument": ({ url }) => url,
  "a computed value": ({ testId }) => testId,
  "a value that the service did not return": ({ createdDate }) => createdDate,
  "a secret": ({ password }) => password,
  "the id": ({ id }) => id,
  apply: ({ url }) => url.apply((text) => text.length),
  "apply that returns another output": ({ url, testId }) => url.apply(() => testId),
  "apply that returns a promise": ({ url }) => url.apply((text) => Promise.resolve(`${text}!`)),
  "all of an array": ({ url, testId }) => pulumi.all([url, testId]),
  "all of an object": ({ url, password }) => pulumi.all({ url, password }),
  output: ({ url }) => pulumi.output(url),
  "output of nested outputs": ({ url, testId }) => pulumi.output({ url, deeper: [{ testId }] }),
  interpolate: ({ url, testId }) => pulumi.interpolate`${testId}: ${url}`,
  concat: ({ url, testId }) => pulumi.concat(testId, ": ", url),
  jsonStringify: ({ url, testId }) => pulumi.jsonStringify({ url, testId }),
  secret: ({ url }) => pulumi.secret(url),
  unsecret: ({ password }) => pulumi.unsecret(pulumi.output(password)),
  isSecret: ({ url, password }) => Promise.all([url, pulumi.output(password)].map((output) => pulumi.isSecret(output))),
  get: ({ url }) => url.get(),
  "a lifted property of a string": ({ url }) => url.length,
  "a lifted property of an object": ({ unmanagedFields }) => membersOf(unmanagedFields)["color"],
  "a lifted property of a property": ({ unmanagedFields }) => membersOf(membersOf(unmanagedFields)["owner"])["name"],
  "a lifted element": ({ unknownFields }) => membersOf(unknownFields)[0],
  "a lifted property that is absent": ({ url }) => membersOf(url)["absent"],
  "a call of a lifted method": ({ url }) => (url as unknown as string).toUpperCase(),
  "its then": ({ url }) => membersOf(url)["then"],
  await: async ({ url }) => (await (url as unknown as Promise<unknown>)) === url,
  "a promise of it": async ({ url }) => (await Promise.resolve(url)) === url,
  iteration: ({ unknownFields }) => [...(unknownFields as unknown as unknown[])],
  "iteration with for": ({ unknownFields }) => {
    for (const field of unknownFields as unknown as unknown[]) return field;
    return undefined;
  },
  spread: ({ url }) => Object.keys({ ...url }),
  "Object.keys": ({ url }) => Object.keys(url),
  "Object.getOwnPropertyNames": ({ url }) => Object.getOwnPropertyNames(url),
  "Reflect.ownKeys": ({ url }) => Reflect.ownKeys(url),
  "its descriptors": ({ url }) => Object.keys(Object.getOwnPropertyDescriptors(url)),
  in: ({ url }) => ["apply", "length", "then", "__pulumiOutput"].map((name) => name in url),
  typeof: ({ url }) => typeof url,
  instanceof: ({ url }) => [url instanceof Object, (url as unknown) instanceof Promise],
  "instanceof Output": ({ url }) => (url as unknown) instanceof (pulumi.Output as never),
  "Output.isInstance": ({ url }) => pulumi.Output.isInstance(url),
  "its class": ({ url }) => [url.constructor.name, Object.prototype.toString.call(url)],
  "its prototype": ({ id, url }) => Object.getPrototypeOf(url) === Object.getPrototypeOf(id),
  "Array.isArray": ({ unknownFields }) => Array.isArray(unknownFields),
  "Object.freeze": ({ url }) => [Object.freeze(url) === url, Object.isFrozen(url)],
  "Object.seal": ({ url }) => [Object.seal(url) === url, Object.isSealed(url)],
  "an assignment": ({ url }) => [Reflect.set(url, "note", 1), membersOf(url)["note"]],
  "a deleted member": ({ url }) => [Reflect.deleteProperty(url, "toJSON"), "toJSON" in url],
  // The SDK explains how to use an output.
  // oxlint-disable-next-line typescript/no-base-to-string
  String: ({ url }) => String(url),
  "a template": ({ url }) => `at ${url as unknown as string}`,
  "a sum": ({ url }) => (url as unknown as string) + "/path",
  Number: ({ url }) => Number(url),
  "JSON.stringify": ({ url }) => JSON.stringify({ url }),
  "console.log": ({ url }) => printed(url),
  "console.log in an object": ({ url }) => printed({ url }),
  "util.inspect": ({ url }) => withoutPromises(inspect(url, { depth: 1, showHidden: true })),
  "util.format": ({ url }) => withoutPromises(format("%s %o %j %d", url, url, url, url)),
  structuredClone: ({ url }) => structuredClone(url),
  isDeepStrictEqual: ({ url, testId }) => [isDeepStrictEqual(url, url), isDeepStrictEqual(url, testId)],
  "the key of a map": (test) => new Map([[test.url, 1]]).get(test.url),
  "a captured output": ({ url }) => pulumi.runtime.serializeFunction(() => url.get()),
};

/** Uses of a resource. */
const ofResources: Record<string, (test: HttpServerTest) => unknown> = {
  "the same output twice": (test) => test.url === test.url,
  "two resources": (test) => pulumi.all([test.url, test.testName]).apply((values) => values.join(" ")),
  "output of the resource": (test) => pulumi.output(test),
  "all of resources": (test) => pulumi.all({ test }),
  dependsOn: (test) => new Group({}).urn && pulumi.output([test]),
  "outputs of a component": (test) => membersOf(new Group({ url: test.url, test }))["urn"],
  "instanceof CustomResource": (test) => test instanceof pulumi.CustomResource,
  "Resource.isInstance": (test) => [pulumi.Resource.isInstance(test), pulumi.CustomResource.isInstance(test)],
  "keys of the resource": (test) => Object.keys(test),
  "keys after a read": (test) => [test.testId, Reflect.ownKeys(test).map(String)],
  "for in": (test) => {
    const names = [];
    for (const name in test) names.push(name);
    return names;
  },
  "values of the resource": (test) => Object.values(test).map((value) => pulumi.Output.isInstance(value)),
  entries: (test) => Object.fromEntries(Object.entries(test).filter(([name]) => !name.startsWith("__"))),
  // A copy of a resource has its outputs.
  // oxlint-disable-next-line typescript/no-misused-spread
  "spread of the resource": (test) => ({ ...test }).url,
  "Object.assign": (test) => Object.assign({}, test).testId,
  "the rest of the members": ({ url, ...rest }) => [url, rest.testName],
  "Object.hasOwn": (test) => ["url", "createdDate", "absent", "apply"].map((name) => Object.hasOwn(test, name)),
  "a name that is absent": (test) => membersOf(test)["absent"],
  "a descriptor after a read": (test) => [test.url, Object.getOwnPropertyDescriptor(test, "url")],
  "an object that inherits": (test) => (Object.create(test) as HttpServerTest).url,
  "an assignment to an object that inherits": (test) => [Object.assign(Object.create(test), { url: "mine" }), test.url],
  "a frozen resource": (test) => [frozen(test).url, Object.isFrozen(test), test.url === test.url],
  "an assignment to a frozen resource": (test) => {
    try {
      return Object.assign(frozen(test), { url: "mine" });
    } catch (error) {
      return error instanceof TypeError;
    }
  },
  "a sealed resource": (test) => [Object.seal(test).url, Object.isSealed(test)],
  "a resource that takes no more properties": (test) => Object.preventExtensions(test).url,
  "an output that is replaced": (test) => [Reflect.set(test, "url", "mine"), test.url, Object.keys(test)],
  "an output that is deleted": (test) => [Reflect.deleteProperty(test, "url"), test.url],
  "JSON.stringify of the resource": (test) => JSON.stringify(test),
  "console.log of the resource": (test) => printed(test),
  "console.log of an array": (test) => printed([{ test }]),
  "util.inspect of the resource": (test) => inspect(test, { depth: 0, showHidden: true, sorted: true }),
  "structuredClone of the resource": (test) => structuredClone(test),
  "equality of the resource": (test) => [isDeepStrictEqual(test, test), isDeepStrictEqual(test, Object.create(test))],
  // The name `test` is global in suites, so that nothing would be captured.
  "a captured property": (resource) => pulumi.runtime.serializeFunction(() => resource.url.get()),
  "a captured property of an object": (resource) => {
    const owner = { resource };
    return pulumi.runtime.serializeFunction(() => owner.resource.url.get());
  },
  "a captured resource": (resource) => pulumi.runtime.serializeFunction(() => Object.keys(resource), { allowSecrets: true }),
};

/** Uses by their names. */
export const uses = Object.entries({ ...ofOutputs, ...ofResources });
