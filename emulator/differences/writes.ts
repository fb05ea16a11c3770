import { areaOf, bears, type Difference, idOf, isManaged, onSuccess, problem, refuses, type Said } from "./difference";

const answers =
  "the interface document states 201 with a body and a Location header; recorded for labels and tags, not for tests";
const updates = "200 with the record is stated, and recorded for labels; what tests answer is not recorded";
const deletes = "204 without a body is stated, and recorded for labels and tags";
const missing = "the 404 of a label has a body (recorded); an unknown path has none (reported); other areas are not recorded";

/** Removes the body of an answer. */
function empty(said: Said, status = said.status): void {
  said.status = status;
  said.body = undefined;
  delete said.headers["content-type"];
}

const idAlone = (said: Said): void => {
  const { id, testId } = said.body;
  said.body = id === undefined ? { testId } : { id };
};

/** Answers of a record that does not exist. */
function missingRecord(change: (said: Said) => void) {
  return {
    answer: (heard: Parameters<typeof areaOf>[0] & { verb: string }, said: Said): void => {
      if (isManaged(heard) && said.status === 404) change(said);
    },
  };
}

/** How the service confirms writes, and how it answers about records that do not exist. */
export const writes: readonly Difference[] = [
  bears(
    "create-200",
    "answers a create with 200",
    answers,
    onSuccess("create", (said) => void (said.status = 200)),
  ),
  bears(
    "create-202",
    "answers a create with 202",
    answers,
    onSuccess("create", (said) => void (said.status = 202)),
  ),
  bears("create-204", "answers a create with 204, a Location header and no body", answers, {
    answer(heard, said) {
      if (!isManaged(heard) || heard.verb !== "create" || said.status >= 300) return;
      said.headers["location"] = `${heard.path}/${idOf(said.body)}`;
      empty(said, 204);
    },
  }),
  bears(
    "create-empty",
    "answers a create without a body and without a Location header",
    answers,
    onSuccess("create", (said) => {
      empty(said);
      delete said.headers["location"];
    }),
  ),
  bears(
    "create-empty-object",
    "answers a create with an empty object",
    answers,
    onSuccess("create", (said) => void (said.body = {})),
  ),
  bears("create-id-only", "answers a create with the id alone", answers, onSuccess("create", idAlone)),
  bears(
    "create-wrapped",
    "answers a create with the record in a member `data`",
    answers,
    onSuccess("create", (said) => void (said.body = { data: said.body })),
  ),
  bears(
    "create-list",
    "answers a create with a list of one record",
    answers,
    onSuccess("create", (said) => void (said.body = [said.body])),
  ),
  bears(
    "create-text",
    "answers a create with text",
    answers,
    onSuccess("create", (said) => {
      said.body = "Created";
      said.headers["content-type"] = "text/plain";
    }),
  ),
  bears(
    "no-location",
    "answers a create without a Location header",
    answers,
    onSuccess("create", (said) => void delete said.headers["location"]),
  ),
  bears(
    "update-202",
    "answers an update with 202",
    updates,
    onSuccess("update", (said) => void (said.status = 202)),
  ),
  bears(
    "update-204",
    "answers an update with 204 and no body",
    updates,
    onSuccess("update", (said) => empty(said, 204)),
  ),
  bears(
    "update-empty",
    "answers an update with 200 and no body",
    updates,
    onSuccess("update", (said) => empty(said)),
  ),
  bears(
    "update-empty-object",
    "answers an update with an empty object",
    updates,
    onSuccess("update", (said) => void (said.body = {})),
  ),
  bears("update-id-only", "answers an update with the id alone", updates, onSuccess("update", idAlone)),
  bears(
    "update-text",
    "answers an update with text",
    updates,
    onSuccess("update", (said) => {
      said.body = "OK";
      said.headers["content-type"] = "text/plain";
    }),
  ),
  bears(
    "update-wrapped",
    "answers an update with the record in a member `data`",
    updates,
    onSuccess("update", (said) => void (said.body = { data: said.body })),
  ),
  bears(
    "delete-200",
    "answers a delete with 200 and an empty object",
    deletes,
    onSuccess("delete", (said) => {
      Object.assign(said, { status: 200, body: {} });
      said.headers["content-type"] = "application/json";
    }),
  ),
  bears(
    "delete-200-empty",
    "answers a delete with 200 and no body",
    deletes,
    onSuccess("delete", (said) => empty(said, 200)),
  ),
  bears(
    "delete-202",
    "answers a delete with 202",
    deletes,
    onSuccess("delete", (said) => empty(said, 202)),
  ),
  bears(
    "delete-text",
    "answers a delete with 200 and text",
    deletes,
    onSuccess("delete", (said) => {
      Object.assign(said, { status: 200, body: "deleted" });
      said.headers["content-type"] = "text/plain";
    }),
  ),
  bears(
    "strict-404",
    "answers for a missing record with a 404 without a body",
    missing,
    missingRecord((said) => empty(said)),
  ),
  bears(
    "gone-410",
    "answers for a missing record with 410",
    missing,
    missingRecord((said) => void (said.status = 410)),
  ),
  bears(
    "gone-410-empty",
    "answers for a missing record with a 410 without a body",
    missing,
    missingRecord((said) => empty(said, 410)),
  ),
  bears(
    "404-page",
    "answers for a missing record with a page",
    missing,
    missingRecord((said) => {
      said.body = "<h1>Not found</h1>";
      said.headers["content-type"] = "text/html";
    }),
  ),
  bears(
    "404-empty-object",
    "answers for a missing record with an empty object",
    missing,
    missingRecord((said) => void (said.body = {})),
  ),
  bears(
    "404-gateway",
    "answers for a missing record with the error of a gateway",
    missing,
    missingRecord((said) => {
      said.body = { message: "no Route matched with those values" };
      said.headers["content-type"] = "application/json";
    }),
  ),
  refuses("patch-405", "takes no PATCH", "PATCH of tests is in the public interface, and not in the first version", "405", {
    request: (heard) =>
      isManaged(heard) && heard.operation.method === "PATCH" ? problem(405, "405 Method Not Allowed") : undefined,
  }),
];
