/**
 * The floor: dynamic resources that do nothing, written as a user writes them by hand. All six methods, and as many properties as a
 * test of ours has, whose values are constants. A module of its own, since Pulumi's SDK keeps the text of its functions in the state.
 */
const { dynamic } = require("@pulumi/pulumi");

/** @param {import("./floor").Shape} shape */
exports.floorOf = ({ defaults, outputs, names }) => {
  const provider = {
    check: async (_held, declared) => ({ inputs: { ...defaults, ...declared } }),
    diff: async () => ({ changes: false }),
    create: async (inputs) => ({ id: inputs.testName, outs: { ...outputs, ...inputs } }),
    read: async (id, props) => ({ id, props }),
    update: async (_id, _held, inputs) => ({ outs: { ...outputs, ...inputs } }),
    delete: async () => {},
  };
  return { provider, Nothing: classOf(provider, names) };
};

/** The least that such a resource can be: one method, and the properties that a program declares. */
exports.leastOf = () => {
  const provider = { create: async (inputs) => ({ id: inputs.testName, outs: inputs }) };
  return { Nothing: classOf(provider, []) };
};

/** A class of resources that a provider manages, with outputs of these names. */
function classOf(provider, names) {
  return class extends dynamic.Resource {
    constructor(name, args) {
      super(provider, name, { ...Object.fromEntries(names.map((output) => [output, undefined])), ...args });
    }
  };
}
