/**
 * Minimal providers as baselines for comparisons. Pulumi's SDK stores the text of a provider's functions in the state, so this
 * file contains nothing else.
 */
const { dynamic } = require("@pulumi/pulumi");

/**
 * The smallest possible dynamic resource, with one method that sends no requests. A benchmark of this resource shows the cost
 * of the engine and its host.
 */
const leastProvider = { create: async (inputs) => ({ id: inputs.name ?? inputs.testName, outs: inputs }) };

/**
 * A dynamic provider as a user would write it. The provider has all six methods, sends one request for each record, and stores
 * every property that the service returns.
 * @param {string} path path of the records
 * @param {string} key name of the property with a record's id
 */
function handwrittenProvider(path, key) {
  const send = async (method, id, body) => {
    const url = [`${process.env.ENDPOINT_MONITORING_BASE_URL}/v7/endpoint/${path}`, ...(id ? [id] : [])].join("/");
    const authorization = `Bearer ${process.env.ENDPOINT_MONITORING_TOKEN}`;
    const headers = { authorization, "content-type": "application/json" };
    const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
    return response.status === 204 ? {} : response.json();
  };
  return {
    check: async (_state, inputs) => {
      const failures = Object.entries(inputs).flatMap(([property, value]) =>
        value === "" ? [{ property, reason: `${property} must not be empty` }] : [],
      );
      return { inputs, failures };
    },
    diff: async (_id, state, inputs) => ({
      changes: Object.keys(inputs).some((name) => JSON.stringify(inputs[name]) !== JSON.stringify(state[name])),
    }),
    create: async ({ __provider, ...inputs }) => {
      const record = await send("POST", undefined, inputs);
      return { id: record[key], outs: { ...record, ...inputs } };
    },
    read: async (id, state) => ({ id, props: { ...state, ...(await send("GET", id)) } }),
    update: async (id, state, { __provider, ...inputs }) => {
      return { outs: { ...state, ...(await send("PATCH", id, inputs)), ...inputs } };
    },
    delete: async (id) => void (await send("DELETE", id)),
  };
}

const providers = {
  least: { Label: leastProvider, AgentToServerTest: leastProvider },
  handwritten: {
    Label: handwrittenProvider("labels", "id"),
    AgentToServerTest: handwrittenProvider("tests/scheduled-tests/agent-to-server", "testId"),
  },
};
exports.providers = providers;

/** Returns the classes of a baseline under the class names of the package. */
exports.classesOf = (baseline) =>
  Object.fromEntries(Object.entries(providers[baseline]).map(([name, provider]) => [name, classOf(provider)]));

function classOf(provider) {
  return class extends dynamic.Resource {
    constructor(name, args) {
      super(provider, name, args);
    }
  };
}
