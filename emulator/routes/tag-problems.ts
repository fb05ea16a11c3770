import { STATUS_CODES } from "node:http";
import type { TagRequest } from "../../api/schemas";
import { storedKey } from "../model/tags";
import type { Caller } from "../organization";
import { type FieldError, Problem, type ProblemStyle } from "../problem";

/** The format of all recorded errors about tags, which differs from the documented format. */
export const tagStyle: ProblemStyle = {
  mediaType: "application/json",
  invalid: (where, errors) => new Problem(400, where === "query" ? queryDetail(errors) : parseDetail(errors)),
  body: ({ status, title, detail }, path) => ({
    timestamp: Date.now(),
    status,
    error: STATUS_CODES[status] ?? "Error",
    title: titles[status] ?? title,
    detail,
    path,
  }),
};

const titles: Record<number, string> = {
  400: "Request validation failed. There are invalid or missing fields",
  403: "Please ensure you are using the correct authentication token, and you have the correct role",
  404: "Resource not found",
  409: "Resource already exists",
};

function queryDetail([first]: readonly FieldError[]): string {
  return `${first?.field.split("[")[0]}: ${first?.message}`;
}

const wordings: Record<string, (value: string) => string> = {
  accessType: (value) => `Invalid Access Type: ${value}`,
  objectType: (value) => `Invalid Object Type: ${value}`,
  matchType: (value) =>
    `Cannot construct instance of \`com.thousandeyes.tags.models.entity.FilterMatchType\`, problem: Unexpected value '${value}'`,
};

/** Recorded errors about a tag with an unknown enumeration value mention only the unknown value. */
function parseDetail([first]: readonly FieldError[]): string {
  const { field = "body", message = "is invalid", value } = first ?? {};
  const words = typeof value === "string" ? wordings[field]?.(value) : undefined;
  return `JSON parse error: ${words ?? `${field} ${message}`}`;
}

export function complaintsAbout({
  accessType,
  objectType,
  type = "static",
  key,
  value,
  matchType,
  filters,
}: TagRequest): string[] {
  const isOfAgents = objectType === "endpoint-agent";
  const toProvide = (name: string): string =>
    `${name}: You need to provide the ${name} for the tag. It cannot be null or empty`;
  const matches = [
    isOfAgents && type === "static" && "type: Static tags are not supported for the provided object type",
    !isOfAgents && type === "dynamic" && "type: Dynamic tags are not supported for the provided object type",
    accessType === undefined && toProvide("accessType"),
    objectType === undefined && toProvide("objectType"),
    key === undefined && toProvide("key"),
    value === undefined && "value: value for the label cannot be null",
    ...(isOfAgents && type === "dynamic"
      ? [
          matchType === undefined && "matchType: must not be null",
          (filters ?? []).length === 0 && "filters: must not be empty",
          ...(filters ?? []).map(
            (filter, at) =>
              filter.scope !== "custom" &&
              storedKey(filter.key) === undefined &&
              `filters[${at}].key: Invalid filter key: ${filter.key}`,
          ),
        ]
      : []),
  ];
  return matches.filter((complaint) => complaint !== false);
}

/** @throws Problem for a restricted access type, or if the caller may not change endpoint-agent tags */
export function refuseAccess({ role }: Caller, { accessType, objectType }: TagRequest): void {
  if (accessType === "system") {
    const why = "Either you did not provide one or the provided one is invalid";
    throw new Problem(403, `You need to provide a valid access type to create or update a tag. ${why}`);
  }
  if (accessType === "partner") {
    const why = "Either you did not provide one or the provided one is invalid";
    throw new Problem(400, `You need to provide a valid partnerId to create a tag. ${why}`);
  }
  if (objectType === "endpoint-agent" && !role.permissions.includes("view-personal-data")) {
    throw new Problem(403, "The role lacks a permission to view personal data of endpoint agents");
  }
}
