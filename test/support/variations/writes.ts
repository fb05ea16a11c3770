import {
  areaOf,
  tolerated,
  type Variation,
  idOf,
  isManaged,
  onSuccess,
  problem,
  rejected,
  type PendingResponse,
} from "./variation";

const answers =
  "the interface document states 201 with a body and a Location header; recorded for labels and tags, not for tests";
const updates = "200 with the record is stated, and recorded for labels; what tests answer is not recorded";
const deletes = "204 without a body is stated, and recorded for labels and tags";
const missing = "the 404 of a label has a body (recorded); an unknown path has none (reported); other areas are not recorded";

/** Removes the body of a response. */
function empty(response: PendingResponse, status = response.status): void {
  response.status = status;
  response.body = undefined;
  delete response.headers["content-type"];
}

/** Replaces the body of a response by text. */
function worded(response: PendingResponse, text: string, type = "text/plain"): void {
  response.body = text;
  response.headers["content-type"] = type;
}

/** Ways in which a create and an update may be confirmed without the record. */
const confirmations: readonly (readonly [name: string, how: string, change: (response: PendingResponse) => void])[] = [
  ["202", "with 202", (response) => void (response.status = 202)],
  ["empty-object", "with an empty object", (response) => void (response.body = {})],
  [
    "id-only",
    "with the id alone",
    (response) => {
      const { id, testId } = response.body;
      response.body = id === undefined ? { testId } : { id };
    },
  ],
  ["wrapped", "with the record in a member `data`", (response) => void (response.body = { data: response.body })],
  ["text", "with text", (response) => worded(response, "OK")],
];

function confirmed(verb: "create" | "update", what: string, between: string): Variation[] {
  return confirmations.map(([name, how, change]) =>
    tolerated(`${verb}-${name}`, `answers ${what} ${how}`, between, onSuccess(verb, change)),
  );
}

/** Responses to a request for a record that does not exist. */
function missingRecord(change: (response: PendingResponse) => void) {
  return {
    answer: (request: Parameters<typeof areaOf>[0] & { verb: string }, response: PendingResponse): void => {
      if (isManaged(request) && response.status === 404) change(response);
    },
  };
}

/** The service's confirmations of writes, and its responses about missing records. */
export const writes: readonly Variation[] = [
  tolerated(
    "create-200",
    "answers a create with 200",
    answers,
    onSuccess("create", (response) => void (response.status = 200)),
  ),
  tolerated("create-204", "answers a create with 204, a Location header and no body", answers, {
    answer(request, response) {
      if (!isManaged(request) || request.verb !== "create" || response.status >= 300) return;
      response.headers["location"] = `${request.path}/${idOf(response.body)}`;
      empty(response, 204);
    },
  }),
  tolerated(
    "create-empty",
    "answers a create without a body and without a Location header",
    answers,
    onSuccess("create", (response) => {
      empty(response);
      delete response.headers["location"];
    }),
  ),
  ...confirmed("create", "a create", answers),
  tolerated(
    "create-list",
    "answers a create with a list of one record",
    answers,
    onSuccess("create", (response) => void (response.body = [response.body])),
  ),
  tolerated(
    "no-location",
    "answers a create without a Location header",
    answers,
    onSuccess("create", (response) => void delete response.headers["location"]),
  ),
  ...confirmed("update", "an update", updates),
  tolerated(
    "update-204",
    "answers an update with 204 and no body",
    updates,
    onSuccess("update", (response) => empty(response, 204)),
  ),
  tolerated(
    "update-empty",
    "answers an update with 200 and no body",
    updates,
    onSuccess("update", (response) => empty(response)),
  ),
  tolerated(
    "delete-200",
    "answers a delete with 200 and an empty object",
    deletes,
    onSuccess("delete", (response) => {
      Object.assign(response, { status: 200, body: {} });
      response.headers["content-type"] = "application/json";
    }),
  ),
  tolerated(
    "delete-200-empty",
    "answers a delete with 200 and no body",
    deletes,
    onSuccess("delete", (response) => empty(response, 200)),
  ),
  tolerated(
    "delete-202",
    "answers a delete with 202",
    deletes,
    onSuccess("delete", (response) => empty(response, 202)),
  ),
  tolerated(
    "delete-text",
    "answers a delete with 200 and text",
    deletes,
    onSuccess("delete", (response) => {
      response.status = 200;
      worded(response, "deleted");
    }),
  ),
  tolerated(
    "strict-404",
    "answers for a missing record with a 404 without a body",
    missing,
    missingRecord((response) => empty(response)),
  ),
  tolerated(
    "gone-410",
    "answers for a missing record with 410",
    missing,
    missingRecord((response) => void (response.status = 410)),
  ),
  tolerated(
    "gone-410-empty",
    "answers for a missing record with a 410 without a body",
    missing,
    missingRecord((response) => empty(response, 410)),
  ),
  tolerated(
    "404-page",
    "answers for a missing record with a page",
    missing,
    missingRecord((response) => worded(response, "<h1>Not found</h1>", "text/html")),
  ),
  tolerated(
    "404-empty-object",
    "answers for a missing record with an empty object",
    missing,
    missingRecord((response) => void (response.body = {})),
  ),
  tolerated(
    "404-gateway",
    "answers for a missing record with the error of a gateway",
    missing,
    missingRecord((response) => {
      response.body = { message: "no Route matched with those values" };
      response.headers["content-type"] = "application/json";
    }),
  ),
  rejected("patch-405", "takes no PATCH", "PATCH of tests is in the public interface, and not in the first version", "405", {
    request: (request) =>
      isManaged(request) && request.operation.method === "PATCH" ? problem(405, "405 Method Not Allowed") : undefined,
  }),
];
