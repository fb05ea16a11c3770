import { isIP } from "node:net";
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020";
import { type Emulator, type EmulatorOptions, start } from "../../emulator";
import { apiDocument } from "../support/api/document";
import { readFixture } from "../support/api/fixtures";
import { undocumented } from "../support/kinds";

/** A loosely typed JSON value, because tests check the types of responses. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;

export const fixture = (name: string): Json => readFixture(name);

export const example = (name: string): Json => fixture(`examples/${name}.json`);

const openapi: Json = apiDocument;
// Skips the validation of the schema itself, which would take longer than most suites.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
ajv.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
ajv.addFormat("uuid", /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
ajv.addFormat("double", true);
ajv.addFormat("int64", { type: "number", validate: Number.isSafeInteger });
ajv.addFormat("int32", { type: "number", validate: Number.isSafeInteger });
ajv.addFormat("ip", (text) => isIP(text) !== 0);
ajv.addFormat("macaddress", /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i);
ajv.addFormat("uri", (text) => URL.canParse(text));
ajv.addSchema(openapi, "openapi");

/**
 * Paths of the API with their patterns, those with the fewest parameters first, so that `instant` is not read as a test's id.
 */
const templates = Object.keys(openapi.paths)
  .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`) }))
  .toSorted((a, b) => a.path.split("{").length - b.path.split("{").length);

const validators = new Map<object, ValidateFunction>();

/** Returns the compiled form of a schema in openapi.json. Compilation takes longer than a request. */
function validatorOf(schema: Json): ValidateFunction {
  const validate = validators.get(schema) ?? ajv.compile({ ...schema, $ref: schema.$ref && `openapi${schema.$ref}` });
  validators.set(schema, validate);
  return validate;
}

const errorSchema = { $ref: "#/components/schemas/Error" };

export interface Exchange {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Json;
}

/** Returns the names of the fields in a problem: from its title or detail, or from the control API's list. */
export function fieldsOf(problem: Json): string[] {
  if (problem.errors) return problem.errors.map(({ field }: Json) => field);
  const words = /^Invalid value for fields: (.*)$/.exec(problem.detail ?? "")?.[1]?.split(", ") ?? [];
  return [...words, ...[...String(problem.title).matchAll(/Error in field (\S+) : /g)].map(([, field]) => String(field))];
}

/** Returns the texts of a problem's title and detail. */
export const reasonOf = (problem: Json): string => `${problem.title} ${problem.detail ?? ""}`;

export interface Sent {
  body?: unknown;
  /** Sent unchanged instead of `body`. */
  raw?: string | Uint8Array | URLSearchParams;
  headers?: Record<string, string>;
  /** @defaultValue the administrator's; null sends none */
  token?: string | null;
}

/** An emulator with a client that checks each response against the API's openapi.json. */
export class Bench {
  private constructor(
    readonly emulator: Emulator,
    private readonly limited: boolean,
  ) {}

  static async start(options: EmulatorOptions = {}): Promise<Bench> {
    return new Bench(await start({ rateLimit: "off", ...options }), (options.rateLimit ?? "off") !== "off");
  }

  get url(): string {
    return this.emulator.url;
  }

  close(): Promise<void> {
    return this.emulator.close();
  }

  async call(method: string, path: string, { body, raw, headers, token = "emulator-token" }: Sent = {}): Promise<Exchange> {
    const answer = await fetch(this.url + path, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(path.startsWith("/_emulator/") && { "x-emulator-control": "test" }),
        ...headers,
      },
      body: raw ?? (body === undefined ? undefined : JSON.stringify(body)),
    });
    const text = await answer.text();
    const exchange = { status: answer.status, headers: answer.headers, text, body: text === "" ? undefined : JSON.parse(text) };
    const wrong = violations(method, path, exchange, this.limited);
    if (wrong.length > 0)
      throw new Error(`${method} ${path} ${answer.status} breaks openapi.json: ${wrong.join("; ")}\n${text}`);
    return exchange;
  }

  /** Returns the ids in a collection. */
  async stored(collection: string): Promise<string[]> {
    const { body } = await this.call("GET", `/_emulator/records/${collection}`);
    return body.records.map(({ id }: { id: string }) => id);
  }

  /** Returns all records of all collections, which a rejected write must not change. */
  async everything(): Promise<string[]> {
    const all = ["labels", "agent-to-server-tests", "http-server-tests", "dynamic-tests"].map((name) => this.stored(name));
    return (await Promise.all(all)).flat();
  }
}

/** Paths outside the API document, which cannot validate their responses. */
const beyondDocument = [...undocumented.values()].map(({ path }) => new RegExp(`^${path}(/.+)?$`));

/** Returns violations of openapi.json in a response. Statuses that it does not list must look like a 400, or be an `Error`. */
export function violations(
  method: string,
  path: string,
  { status, headers, text, body }: Exchange,
  limited: boolean,
): string[] {
  const pathname = path.split("?")[0] ?? "";
  if (pathname.startsWith("/_emulator/") || beyondDocument.some((pattern) => pattern.test(pathname))) return [];
  const template = templates.find(({ pattern }) => pattern.test(pathname))?.path;
  const operation = template === undefined ? undefined : openapi.paths[template][method.toLowerCase()];
  const listed = operation?.responses[String(status)] ?? (status >= 400 ? operation?.responses["400"] : undefined);
  const response = listed?.$ref ? openapi.components.responses[listed.$ref.split("/").at(-1)] : listed;
  const mediaType = headers.get("content-type") ?? "";
  const problems: string[] = [];
  if (limited && response?.headers) {
    problems.push(...Object.keys(response.headers).flatMap((name) => (headers.has(name) ? [] : [`no header ${name}`])));
  }
  if (status === 204) return text === "" && mediaType === "" ? problems : [...problems, "204 with a body or a content type"];
  if (response && !response.content) return problems;
  const schema = response ? response.content[mediaType]?.schema : mediaType === "application/problem+json" && errorSchema;
  if (!schema) return [...problems, `media type ${mediaType} is not listed`];
  const validate = validatorOf(schema);
  if (!validate(body)) problems.push(ajv.errorsText(validate.errors));
  return problems;
}

/**
 * Returns the differences in form between `actual` and `expected`: members and types, not values. Lists are compared by their
 * elements.
 */
export function shapeDifferences(actual: unknown, expected: unknown, at = "$"): string[] {
  if (typeOf(actual) !== typeOf(expected)) return [`${at} is ${typeOf(actual)}, not ${typeOf(expected)}`];
  if (Array.isArray(actual) && Array.isArray(expected)) {
    return actual.flatMap((item, index) => shapeDifferences(item, expected[0], `${at}[${index}]`));
  }
  if (!isObject(actual) || !isObject(expected)) return [];
  const members = new Set([...Object.keys(actual), ...Object.keys(expected)]);
  return [...members].flatMap((name) => {
    if (!(name in actual)) return [`${at}.${name} is absent`];
    if (!(name in expected)) return [`${at}.${name} is new`];
    return shapeDifferences(actual[name], expected[name], `${at}.${name}`);
  });
}

function typeOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeOf(value) === "object";
}

/** The smallest valid body of each create, by area. */
export const minimal = {
  label: { name: "Office", matchType: "or", filters: [{ key: "hostname", mode: "in", values: ["office-*"] }] },
  agentToServer: { testName: "Office to gateway", server: "www.example.com" },
  httpServer: { testName: "Portal", url: "https://www.example.com" },
  dynamic: { testName: "Meetings", application: "webex" },
} as const;

export const paths = {
  label: "/v7/endpoint/labels",
  agentToServer: "/v7/endpoint/tests/scheduled-tests/agent-to-server",
  httpServer: "/v7/endpoint/tests/scheduled-tests/http-server",
  dynamic: "/v7/endpoint/tests/dynamic-tests/agent-to-server",
} as const;

export type Area = keyof typeof paths;
export const areas = ["label", "agentToServer", "httpServer", "dynamic"] as const;

export const tagsPath = "/v7/tags";

/** Required members of a tag of agents in addition to name, match type and filters. */
export const tagOfAgents = { objectType: "endpoint-agent", type: "dynamic", accessType: "all" } as const;

/** Requests a page like a browser, without a browser. */
export function look(url: string, path: string, headers: Record<string, string> = { accept: "text/html" }): Promise<Response> {
  return fetch(url + path, { headers });
}

/** Returns the text of markup, without elements. */
export const flat = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&#39;", "'")
    .replaceAll(/\s+/g, " ");
