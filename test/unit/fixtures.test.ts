/** The wire schemas against independent witnesses: sample bodies, the interface's operations and models, recorded answers. */
import { z } from "zod";
import * as schemas from "../../api/schemas";
import * as enums from "../../api/schemas/enums";
import { allOperations, type Operation } from "../../api/schemas";
import { checkBody, parseAnswer, parseErrorBody } from "../../api/parse";
import { documented, example, exampleNames, models, recorded } from "./support/fixtures";

const place = { method: "GET", path: "/" } as const;

describe("sample bodies", () => {
  const parts = exampleNames.map((name) => {
    const [, id = "", kind = ""] = /^(?:assembled\/)?(.*)\.(request|response)$/.exec(name) ?? [];
    // Some names have a variant behind the operation: `labels.create.minimal`.
    const operation = allOperations.find((one) => id === one.id || id.startsWith(`${one.id}.`));
    return { name, kind, operation };
  });
  const cases = parts.flatMap(({ operation, ...rest }) => (operation ? [{ ...rest, operation }] : []));
  const named = (kind: string): [string, Operation][] =>
    cases.filter((one) => one.kind === kind).map(({ name, operation }) => [name, operation]);

  test.each(named("request"))("%s is taken, and nothing of it is dropped", (name, operation) => {
    const body = example(name);
    expect(checkBody(operation, place, body)).toEqual(body);
  });

  test.each(named("response"))("%s is read, and nothing of it is dropped", (name, operation) => {
    const body = example(name);
    expect(parseAnswer(operation, place, "application/hal+json", JSON.stringify(body))).toEqual(body);
  });

  test("every operation has them", () => {
    const has = (operation: Operation, kind: string): boolean =>
      cases.some((one) => one.operation === operation && one.kind === kind);
    const without = allOperations.flatMap((operation) => [
      ...(operation.body && !has(operation, "request") ? [`${operation.id} request`] : []),
      ...(operation.response && !has(operation, "response") ? [`${operation.id} response`] : []),
    ]);
    expect(without).toEqual([]);
  });

  const ofKind = (kind: string): string[] => exampleNames.filter((name) => name.startsWith(`assembled/${kind}.`));

  test.each(ofKind("errors"))("%s is read", (name) => {
    const body = example(name);
    // An `errors` of null is absent.
    const { errors, ...rest } = z.looseObject({ errors: z.unknown().optional() }).parse(body);
    const told = errors === null ? rest : body;
    expect(parseErrorBody("application/problem+json", JSON.stringify(body))).toEqual(told);
  });

  test.each(ofKind("agentSelectorConfig"))("%s is read", (name) => {
    expect(schemas.agentSelectorConfig.parse(example(name))).toEqual(example(name));
  });

  test("of errors and agent selections all kinds are there", () => {
    expect([ofKind("errors").length, ofKind("agentSelectorConfig").length]).toEqual([8, enums.agentSelectorTypes.length]);
  });
});

describe("recorded answers", () => {
  const patterns = allOperations.map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  }));

  test.each(recorded.map((one) => [one.seq, one.shows, one] as const))("%i: %s", (_seq, _shows, { request, response }) => {
    const found = patterns.find(({ operation, pattern }) => operation.method === request.method && pattern.test(request.path));
    if (!found) throw new Error("no such operation");
    const { status, headers, body } = response;
    const text = body === undefined ? "" : JSON.stringify(body);
    const type = headers["content-type"] ?? "";
    const refused = status >= 400;
    expect(status === found.operation.status).toBe(!refused);
    expect(refused ? parseErrorBody(type, text) : parseAnswer(found.operation, place, type, text)).toEqual(body);
  });
});

describe("operations", () => {
  test.each(allOperations.map((operation) => [operation.id, operation] as const))("%s", (id, operation) => {
    const known = documented.get(id);
    if (!known) throw new Error("operations.json has none of this id");
    const { method, path, query, pathParams, request, success } = known;
    const { status } = success;
    const limit = known.rateLimit === "instant" ? "instant" : "organization";
    expect({
      ...operation,
      query: Object.keys(operation.query.shape).toSorted(),
      pathParams: [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      body: operation.body !== undefined,
      bodyType: !request || request.contentTypes.includes(operation.bodyType),
      response: operation.response !== undefined,
    }).toEqual({
      id,
      method,
      path,
      status,
      query: query.map(({ name }) => name).toSorted(),
      pathParams: pathParams.map(({ name }) => name),
      body: request !== null,
      bodyType: true,
      response: success.model !== null,
      budget: id === "token.issue" ? "none" : limit,
      // What makes a record must never be sent twice; of other POSTs each says so itself.
      repeatable: method === "POST" ? status !== 201 && operation.repeatable : true,
    });
  });

  test("an area that is known at all is known whole", () => {
    const ids = allOperations.map(({ id }) => id);
    const areas = new Set(ids.map((id) => id.replace(/\.\w+$/, "")));
    const expected = [...documented.keys()].filter((id) => {
      const [, area = "", verb = ""] = /^(.*)\.(\w+)$/.exec(id) ?? [];
      return areas.has(area) && ["list", "create", "get", "update", "delete", "issue"].includes(verb);
    });
    expect(ids.toSorted()).toEqual(expect.arrayContaining(expected));
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("enumerations", () => {
  const documentedEnums: Record<keyof typeof enums, readonly (string | number)[] | undefined> = {
    filterKeys: models.enums["FilterType"]?.values,
    filterKey: models.enums["FilterType"]?.values,
    filterMode: models.enums["LabelFilterMode"]?.values,
    matchType: models.enums["MatchType"]?.values,
    agentSelectorTypes: models.enums["EndpointTestAgentSelectorType"]?.values,
    agentSelectorType: models.enums["EndpointTestAgentSelectorType"]?.values,
    testProtocol: models.enums["EndpointTestProtocol"]?.values,
    ipVersion: models.enums["EndpointIpVersionIn"]?.values,
    tcpProbeMode: models.enums["TestProbeMode"]?.values,
    testInterval: models.enums["TestInterval"]?.values,
    authType: models.enums["EndpointTestAuthType"]?.values,
    sslVersionId: models.enums["TestSslVersionId"]?.values,
    dynamicTestApplications: models.models["DynamicTestRequest"]?.fields.find(({ name }) => name === "application")
      ?.knownValues,
    vpnTypes: models.enums["VpnType"]?.values,
  };

  test.each(Object.entries(enums))("%s", (name, ours) => {
    const values = ours instanceof z.ZodType ? z.toJSONSchema(ours).enum : ours;
    // Only a name that TypeScript knows of can be in the table.
    expect(values).toEqual(documentedEnums[name as keyof typeof enums]);
  });
});

/** A member as a model and a schema both tell it. */
interface Member {
  required: boolean;
  type: string;
  values?: readonly (string | number)[];
  sensitive?: boolean;
}
type Members = Record<string, Member>;

const sameKind: Record<string, string> = { "array<string>": "array of string", "array<ref:Filter>": "array of object" };

function membersOfModel(name: string): Members {
  const model = models.models[name];
  if (!model) throw new Error(`models.json has no ${name}`);
  return Object.fromEntries(
    model.fields.map((field): [string, Member] => {
      const values = field.enum === undefined ? field.knownValues : models.enums[field.enum]?.values;
      const type = values ? typeof values[0] : (sameKind[field.type] ?? field.type);
      return [field.name, member(field.required, type, values, field.sensitive)];
    }),
  );
}

function membersOfSchema(schema: z.ZodType): Members {
  const json = z.toJSONSchema(schema, { io: "input" });
  return Object.fromEntries(
    Object.entries(json.properties ?? {}).map(([name, property]): [string, Member] => {
      if (typeof property === "boolean") throw new Error(`${name} has no schema`);
      const { type = "", enum: values, items, sensitive } = property;
      const of = typeof items === "object" && !Array.isArray(items) ? ` of ${String(items.type)}` : "";
      const list = values as (string | number)[] | undefined;
      return [name, member(json.required?.includes(name) ?? false, `${String(type)}${of}`, list, sensitive === true)];
    }),
  );
}

function member(required: boolean, type: string, values?: readonly (string | number)[], sensitive?: boolean): Member {
  return { required, type, ...(values ? { values } : {}), ...(sensitive ? { sensitive } : {}) };
}

describe("models", () => {
  const ours = {
    label: [schemas.labelRequest, schemas.labelUpdate, schemas.label],
    agentToServerTest: [schemas.agentToServerTestRequest, schemas.agentToServerTestUpdate, schemas.agentToServerTest],
    httpServerTest: [schemas.httpServerTestRequest, schemas.httpServerTestUpdate, schemas.httpServerTest],
    dynamicTest: [schemas.dynamicTestRequest, schemas.dynamicTestUpdate, schemas.dynamicTest],
  } as const;

  test.each(Object.entries(ours))("%s", (name, [create, update, record]) => {
    const resource = models.resources[name];
    if (!resource) throw new Error("models.json has no such resource");
    const { createModel, updateModel, readModel } = resource;
    expect(membersOfSchema(create)).toEqual(membersOfModel(createModel ?? ""));
    expect(membersOfSchema(update)).toEqual(membersOfModel(updateModel ?? ""));
    // Answers are read leniently: the same members, but no values, and nothing required but the identifier.
    const read = membersOfSchema(record);
    expect(Object.keys(read).toSorted()).toEqual(Object.keys(membersOfModel(readModel ?? "")).toSorted());
    expect(Object.keys(read).filter((one) => read[one]?.required)).toEqual([name === "label" ? "id" : "testId"]);

    // The table of writable sets tells the same once more; `id` of a label is read-only, though its model has it.
    const { fields } = resource;
    const written = (schema: z.ZodObject): string[] =>
      Object.keys(schema.shape)
        .filter((one) => one !== "id")
        .toSorted();
    const allowed = (when: "create" | "update"): string[] =>
      fields
        .filter((field) => field[when] !== "no")
        .map((field) => field.name)
        .toSorted();
    expect(written(create)).toEqual(allowed("create"));
    expect(written(update)).toEqual(allowed("update"));
  });

  test("a filter of a label", () => {
    const { mode, ...rest } = membersOfModel("Filter");
    // Stricter than the model on purpose: a filter without key or values matches nothing that anybody could mean.
    const required = Object.entries(rest).map(([name, one]) => [name, { ...one, required: true }]);
    expect(membersOfSchema(schemas.filter)).toEqual({ mode, ...Object.fromEntries(required) });
  });

  test("a token request", () => {
    const secrets = Object.entries(membersOfSchema(schemas.tokenRequest)).filter(([, { sensitive }]) => sensitive);
    expect(secrets.map(([name]) => name)).toEqual(["client_secret", "service_bearer_token"]);
  });
});
