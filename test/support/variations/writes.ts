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

/** Removes the body of an answer. */
function empty(said: PendingResponse, status = said.status): void {
  said.status = status;
  said.body = undefined;
  delete said.headers["content-type"];
}

/** Replaces the body of an answer by text. */
function worded(said: PendingResponse, text: string, type = "text/plain"): void {
  said.body = text;
  said.headers["content-type"] = type;
}

/** Ways in which a create and an update may be confirmed without the record. */
const confirmations: readonly (readonly [name: string, how: string, change: (said: PendingResponse) => void])[] = [
  ["202", "with 202", (said) => void (said.status = 202)],
  ["empty-object", "with an empty object", (said) => void (said.body = {})],
  [
    "id-only",
    "with the id alone",
    (said) => {
      const { id, testId } = said.body;
      said.body = id === undefined ? { testId } : { id };
    },
  ],
  ["wrapped", "with the record in a member `data`", (said) => void (said.body = { data: said.body })],
  ["text", "with text", (said) => worded(said, "OK")],
];

function confirmed(verb: "create" | "update", what: string, between: string): Variation[] {
  return confirmations.map(([name, how, change]) =>
    tolerated(`${verb}-${name}`, `answers ${what} ${how}`, between, onSuccess(verb, change)),
  );
}

/** Answers of a record that does not exist. */
function missingRecord(change: (said: PendingResponse) => void) {
  return {
    answer: (heard: Parameters<typeof areaOf>[0] & { verb: string }, said: PendingResponse): void => {
      if (isManaged(heard) && said.status === 404) change(said);
    },
  };
}

/** How the service confirms writes, and how it answers about records that do not exist. */
export const writes: readonly Variation[] = [
  tolerated(
    "create-200",
    "answers a create with 200",
    answers,
    onSuccess("create", (said) => void (said.status = 200)),
  ),
  tolerated("create-204", "answers a create with 204, a Location header and no body", answers, {
    answer(heard, said) {
      if (!isManaged(heard) || heard.verb !== "create" || said.status >= 300) return;
      said.headers["location"] = `${heard.path}/${idOf(said.body)}`;
      empty(said, 204);
    },
  }),
  tolerated(
    "create-empty",
    "answers a create without a body and without a Location header",
    answers,
    onSuccess("create", (said) => {
      empty(said);
      delete said.headers["location"];
    }),
  ),
  ...confirmed("create", "a create", answers),
  tolerated(
    "create-list",
    "answers a create with a list of one record",
    answers,
    onSuccess("create", (said) => void (said.body = [said.body])),
  ),
  tolerated(
    "no-location",
    "answers a create without a Location header",
    answers,
    onSuccess("create", (said) => void delete said.headers["location"]),
  ),
  ...confirmed("update", "an update", updates),
  tolerated(
    "update-204",
    "answers an update with 204 and no body",
    updates,
    onSuccess("update", (said) => empty(said, 204)),
  ),
  tolerated(
    "update-empty",
    "answers an update with 200 and no body",
    updates,
    onSuccess("update", (said) => empty(said)),
  ),
  tolerated(
    "delete-200",
    "answers a delete with 200 and an empty object",
    deletes,
    onSuccess("delete", (said) => {
      Object.assign(said, { status: 200, body: {} });
      said.headers["content-type"] = "application/json";
    }),
  ),
  tolerated(
    "delete-200-empty",
    "answers a delete with 200 and no body",
    deletes,
    onSuccess("delete", (said) => empty(said, 200)),
  ),
  tolerated(
    "delete-202",
    "answers a delete with 202",
    deletes,
    onSuccess("delete", (said) => empty(said, 202)),
  ),
  tolerated(
    "delete-text",
    "answers a delete with 200 and text",
    deletes,
    onSuccess("delete", (said) => {
      said.status = 200;
      worded(said, "deleted");
    }),
  ),
  tolerated(
    "strict-404",
    "answers for a missing record with a 404 without a body",
    missing,
    missingRecord((said) => empty(said)),
  ),
  tolerated(
    "gone-410",
    "answers for a missing record with 410",
    missing,
    missingRecord((said) => void (said.status = 410)),
  ),
  tolerated(
    "gone-410-empty",
    "answers for a missing record with a 410 without a body",
    missing,
    missingRecord((said) => empty(said, 410)),
  ),
  tolerated(
    "404-page",
    "answers for a missing record with a page",
    missing,
    missingRecord((said) => worded(said, "<h1>Not found</h1>", "text/html")),
  ),
  tolerated(
    "404-empty-object",
    "answers for a missing record with an empty object",
    missing,
    missingRecord((said) => void (said.body = {})),
  ),
  tolerated(
    "404-gateway",
    "answers for a missing record with the error of a gateway",
    missing,
    missingRecord((said) => {
      said.body = { message: "no Route matched with those values" };
      said.headers["content-type"] = "application/json";
    }),
  ),
  rejected("patch-405", "takes no PATCH", "PATCH of tests is in the public interface, and not in the first version", "405", {
    request: (heard) =>
      isManaged(heard) && heard.operation.method === "PATCH" ? problem(405, "405 Method Not Allowed") : undefined,
  }),
];
