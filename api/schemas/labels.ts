import { z } from "zod";
import { accountGroupQuery, color, identifier, listParameter, pagedQuery, pageLinks, selfLinks } from "./common";
import { filterKey, filterMode, matchType } from "./enums";
import { operation } from "./operation";

/** One condition of a label. */
export const filter = z.object({
  /** Agent attribute that the filter compares. */
  key: filterKey,
  /**
   * `in` matches agents with one of the values. `not-in` matches agents without any of the values. Default: `in` (inferred).
   */
  mode: filterMode.optional(),
  /**
   * Values that the filter compares with the attribute. In `ssid`, `hostname` and `username`, `*` matches any text, and `?`
   * matches one character. Other attributes require exact values, IP addresses or networks.
   */
  values: z.array(z.string()),
});
export type LabelFilter = z.output<typeof filter>;

/** Request body to create a label. */
export const labelRequest = z.object({
  /** Identifier of the label. The service ignores the `id` in a request, because it assigns all identifiers. */
  id: z.string().optional(),
  /** Display name of the label. The service's UI accepts at most 64 characters. */
  name: z.string().min(1),
  /** Color of the label in the service's UI. Default: `#d9d9d9`. */
  color: color.optional(),
  /** With `and`, an agent must match all filters. With `or`, an agent must match at least one filter. */
  matchType,
  /** Conditions that agents must match. */
  filters: z.array(filter),
});
export type LabelRequest = z.output<typeof labelRequest>;

/** Request body to update a label. Members that an update omits keep their values (docs/service/labels.md, Recorded calls). */
export const labelUpdate = labelRequest.partial();
export type LabelUpdate = z.output<typeof labelUpdate>;

/** A label, with its filters. */
export const label = z.looseObject({
  /** Identifier of the label. */
  id: identifier,
  /** Display name. */
  name: z.string().optional(),
  /** Color of the label in the service's UI, such as `#d9d9d9`. */
  color: z.string().optional(),
  /** With `and`, an agent must match all filters. With `or`, an agent must match at least one filter. */
  matchType: z.string().optional(),
  /** Conditions that agents must match. The service returns filters only if `expand` contains `filters`. */
  filters: z
    .array(
      z.looseObject({
        /** Agent attribute that the filter compares, such as `hostname` or `platform`. */
        key: z.string(),
        /** `in` matches agents with one of the values. `not-in` matches agents without any of the values. */
        mode: z.string().optional(),
        /** Values that the filter compares with the attribute. */
        values: z.array(z.string()).default([]),
      }),
    )
    .optional(),
  /** Links, such as the link to the record itself. */
  _links: selfLinks.optional(),
});
export type LabelRecord = z.output<typeof label>;

/** A page of labels. */
export const labels = z.looseObject({
  /** The labels of the page. */
  labels: z.array(label),
  /** Links, such as the link to the next page. */
  _links: pageLinks.optional(),
});
export type LabelPage = z.output<typeof labels>;

const expand = {
  /** With `filters`, the response includes the labels' filters. */
  expand: listParameter(["filters"]),
};
const path = "/v7/endpoint/labels";
const labelPath = "/v7/endpoint/labels/{id}";

export const labelOperations = {
  list: operation({ id: "labels.list", method: "GET", path, query: pagedQuery.extend(expand), status: 200, response: labels }),
  create: operation({
    id: "labels.create",
    method: "POST",
    path,
    query: accountGroupQuery,
    body: labelRequest,
    status: 201,
    response: label,
  }),
  get: operation({
    id: "labels.get",
    method: "GET",
    path: labelPath,
    query: accountGroupQuery.extend(expand),
    status: 200,
    response: label,
  }),
  update: operation({
    id: "labels.update",
    method: "PATCH",
    path: labelPath,
    query: accountGroupQuery,
    body: labelUpdate,
    status: 200,
    response: label,
  }),
  delete: operation({ id: "labels.delete", method: "DELETE", path: labelPath, query: accountGroupQuery, status: 204 }),
};
