import { z } from "zod";
import { accountGroupQuery, identifier, listParameter, pagedQuery, pageLinks, selfLinks } from "./common";
import { filterKey, filterMode, matchType } from "./enums";
import { operation } from "./operation";

/** `#rrggbb`; text that is no colour is refused (recorded). The exact syntax the service takes is not known. */
export const color = z.string().regex(/^#[0-9a-f]{6}$/i, "a colour such as #d9d9d9");

/** One condition an agent is tested against. */
export const filter = z.object({ key: filterKey, mode: filterMode.optional(), values: z.array(z.string()) });

/** Body of a label create. A body may carry `id`; the service gives its own. */
export const labelRequest = z.object({
  id: z.string().optional(),
  name: z.string().min(1),
  color: color.optional(),
  matchType,
  filters: z.array(filter),
});

/** Body of a label update: what is left out stays (recorded). */
export const labelUpdate = labelRequest.partial();

/** A label as answered. `filters` comes unasked from create and update, and from reads with `expand=filters` only. */
export const label = z.looseObject({
  id: identifier,
  name: z.string().optional(),
  color: z.string().optional(),
  matchType: z.string().optional(),
  filters: z
    .array(z.looseObject({ key: z.string(), mode: z.string().optional(), values: z.array(z.string()).default([]) }))
    .optional(),
  _links: selfLinks.optional(),
});
export type LabelRecord = z.output<typeof label>;

export const labels = z.looseObject({ labels: z.array(label), _links: pageLinks.optional() });

const expand = { expand: listParameter(["filters"]) };
const path = "/v7/endpoint/labels";
const one = "/v7/endpoint/labels/{id}";

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
    path: one,
    query: accountGroupQuery.extend(expand),
    status: 200,
    response: label,
  }),
  update: operation({
    id: "labels.update",
    method: "PATCH",
    path: one,
    query: accountGroupQuery,
    body: labelUpdate,
    status: 200,
    response: label,
  }),
  delete: operation({ id: "labels.delete", method: "DELETE", path: one, query: accountGroupQuery, status: 204 }),
};
