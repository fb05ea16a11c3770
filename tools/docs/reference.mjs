/** Writes the parts of a reference page that follow from the declaration of a resource type. */

/** Returns a noun with its article, such as "a label", "an agent" or "an HTTP server test". */
export const withArticle = (noun) => `${/^(?:[aeiou]|[AEFHILMNORSX](?:[A-Z]|-))/.test(noun) ? "an" : "a"} ${noun}`;

/** Returns the default values of a schema by path, such as `filters[].mode`. */
export function defaultsByPath(schema, path = "") {
  const { type, innerType, element, shape, defaultValue } = schema.def;
  const own = type === "default" && defaultValue !== undefined && path !== "" ? [[path, defaultValue]] : [];
  if (innerType) return [...own, ...defaultsByPath(innerType, path)];
  if (type === "array") return defaultsByPath(element, `${path}[]`);
  if (type !== "object") return own;
  return Object.entries(shape).flatMap(([name, member]) => defaultsByPath(member, path === "" ? name : `${path}.${name}`));
}

export function effectOf(kind, name) {
  if (kind.providerOptions.includes(name)) return "nothing";
  if (kind.localOnly.includes(name)) return "is recorded";
  return kind.createOnly.includes(name) ? "**replaces**" : "updates";
}

const listed = (names, word = "and") => {
  const quoted = names.map((name) => `\`${name}\``);
  return quoted.length < 2 ? quoted.join("") : `${quoted.slice(0, -1).join(", ")} ${word} ${quoted.at(-1)}`;
};

/** Describes the arguments that are also outputs, and where their values come from. */
export function argumentsAsOutputs(kind) {
  const { providerOptions, writeOnly, properties } = kind;
  const local = Object.keys(properties).filter((name) => properties[name].role === "local");
  const sentences = [
    `Every argument${providerOptions.length > 0 ? ` except ${listed(providerOptions)}` : ""} is an output${kind.origin === undefined ? "" : ", with the value that the service has"}.`,
    writeOnly.length > 0 &&
      `For ${listed(writeOnly)}, the output is the last applied value, because the service never returns the value.`,
    local.length > 0 && `For ${listed(local)}, the output is the declared value, because the service never receives the value.`,
    "The resource also has these outputs:",
  ];
  return sentences.filter(Boolean).join(" ");
}

const idMeaning = {
  made: (noun) => `Identifier of the ${noun} in the service. Other resources use the identifier to refer to the ${noun}.`,
  found: (noun) => `Identifier of the ${noun} in the service.`,
};

export function idRow(kind, hasTestId) {
  const meaning =
    idMeaning[kind.origin]?.(kind.noun) ??
    (hasTestId
      ? "Identifier of the test that ran."
      : "Value derived from the arguments, because the service has no identifier for the resource.");
  return ["`id`", "`string`", meaning];
}

export function canHaveValue(kind, name) {
  if (name === "unknownFields") return kind.writeOnly.length > 0;
  if (name === "unmanagedFields") return kind.leftToService.length > 0;
  return true;
}

export function replacement(kind) {
  if (kind.createOnly.length === 0) return "";
  const what = {
    made: `deletes the ${kind.noun} and creates a new one`,
    found: `removes the ${kind.noun} from the state and deletes nothing in the service`,
  };
  return `A replacement ${what[kind.origin] ?? "sends the request again and deletes nothing"}: ${kind.replacementCost}.\n\n`;
}

/** Describes how to read and import existing records. Returns an empty text for resource types without records. */
export function existing(kind, imported) {
  if (kind.origin === undefined) return "";
  return `## Existing ${kind.noun}s

\`${kind.name}.get\` reads ${withArticle(kind.noun)} that the program does not manage. If the identifier does not exist, the program fails:

\`\`\`ts
const found = ${kind.name}.get("found", "${kind.sampleId}");
\`\`\`

To manage existing ${kind.noun}s, import the records into the stack. The command also writes their declarations to the program:

\`\`\`sh
npx endpoint-monitoring import --only ${imported.word} --dry-run
\`\`\`

`;
}

function codesOf(kind) {
  if (kind.origin === "made") return ["duplicate", "unknown-outcome", "ownership", "partial", "gone"];
  if (kind.origin === "found") return ["lookup", "ownership", "transfer", "partial", "gone"];
  const { expect, testId } = kind.properties;
  if (!expect) return ["partial"];
  return testId ? ["expectation", "gone"] : ["expectation"];
}

export function errors(kind) {
  const codes = codesOf(kind);
  return `## Errors

A preview reports all invalid arguments together, each with its property and the allowed values. An update can fail with ${listed(codes, "or")}.
An update can also fail with an error that any request can return, such as \`forbidden\` or \`rate-limited\`. [Errors](../errors.md) lists all errors.

`;
}

/** Returns the names of the API operations that a resource type calls. The calls are recorded, but no request is sent. */
async function calledBy(kind) {
  const called = new Set();
  const reject = () => Promise.reject(new Error("Recorded"));
  const area = (of) => new Proxy({}, { get: (_, name) => () => reject(called.add(`${of}.${String(name)}`)) });
  const client = new Proxy({}, { get: (_, name) => area(name) });
  const { list, get, create, update, delete: remove } = kind.requests;
  const requests = [
    () => list(client),
    () => get(client, "1"),
    () => create(client, {}),
    () => update(client, "1", {}),
    () => remove(client, "1"),
  ];
  for (const request of requests) await request().catch(() => undefined);
  return called;
}

/** Operations of resource types without records, with the operations' names in the API documentation. */
const others = {
  found: /^agents\.(?:list|filter|get|update|delete|enable|disable|transfer)$/,
  transfer: /^agents\.(?:list|filter|get|transferBulk)$/,
};

export async function permissions(kind, operations, table) {
  const called = kind.requests ? await calledBy(kind) : undefined;
  const names = Object.entries(operations).flatMap(([area, of]) =>
    Object.entries(of).map(([name, operation]) => [`${area}.${name}`, operation]),
  );
  const rows = names.flatMap(([name, operation]) =>
    (called ? called.has(name) : othersOf(kind).test(name)) ? [operation] : [],
  );
  if (rows.length === 0) return "";
  const further = rows.map(({ writes, permission }) => permission ?? (writes ? "not documented" : "-"));
  const hint = further.includes("not documented")
    ? ' "Not documented" means that\nthe request probably needs another permission with an unknown name.'
    : "";
  return `## Permissions

The role of the token's owner needs the permission "API access".${hint}

${table(
  ["Operation", "Request", "Additional permission"],
  rows.map(({ id, method, path }, at) => [`\`${id}\``, `\`${method} ${path}\``, further[at]]),
)}

`;
}

function othersOf(kind) {
  if (kind.origin === "found") return others.found;
  const { transfers, testId, server, expect } = kind.properties;
  if (transfers) return others.transfer;
  if (!expect) return /^$/;
  const reads =
    "networkResults\\.filterMulti|networkResults\\.filter|httpServerResults\\.filterMulti|httpServerResults\\.filter";
  const finds = "(?:agentToServer|httpServer)Tests\\.(?:list|get)";
  if (testId) return new RegExp(`^(?:instantTests\\.run|${finds}|${reads})$`);
  return new RegExp(
    `^(?:instantTests\\.${server ? "agentToServer" : "httpServer"}|${server ? reads.split("|http")[0] : reads})$`,
  );
}
