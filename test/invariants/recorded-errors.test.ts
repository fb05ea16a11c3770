/** Tests recorded errors of the service in each area, and the message about each error. */
import { ApiError } from "../../api";
import recorded from "../fixtures/service/recorded-400s.json";
import { calls } from "../support/api/calls";
import { bench, failureOf } from "../support/api/service";

const { serve, connect } = bench();

/** The properties that each recorded body names, in the recording's order, and an empty list if it names none. */
const named = `
-|alertType roundsViolatingMode|expression|minimumSourcesPct minimumSources|roundsViolatingOutOf|roundsViolatingRequired|
roundsViolatingRequired minimumSourcesPct roundsViolatingOutOf|-|-|expression|-|-|minimumSourcesPct direction minimumSources|
minimumSources direction minimumSourcesPct|-|-|-|-|-|
-|-|-|-|-|-|accessType|objectType|value|filters|matchType|type objectType|type|-|-|-|-|-|-|-|-|-|
-|agents|interval|server|fixedPacketRate|protocol|server|-|url|-|-|prefix|prefix|servers|domainName|domainName|numPathTraces|numPathTraces|
-|requestType|username|-|bytesToTransfer|requestType|url|-|httpVersion|-|-|script|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|value`
  .replaceAll("\n", "")
  .split("|")
  .map((names) => names.split(" ").filter((name) => name !== "-"));

/** The recorded response. */
function answerOf({ s, p, body }: (typeof recorded.answers)[number]) {
  const { short } = recorded.meta;
  const text = JSON.stringify(body).replace(/\{[PVT]\}/g, (letter) => short[letter as "{P}"]);
  const type = p.startsWith("/v7/tags") ? "application/json" : "application/problem+json";
  return { status: s, body: text, headers: { "content-type": type } };
}

test("each of the 90 recorded responses has an expected message", () => {
  expect([recorded.answers.length, named.length]).toEqual([90, 90]);
  // No recorded response has a list of errors.
  expect(recorded.answers.filter(({ body }) => "errors" in body)).toEqual([]);
});

test.each(recorded.answers.map((answer, i) => [`${i} ${answer.m} ${answer.p} ${answer.s}`, answer, named[i] ?? []] as const))(
  "the message about %s names the wrong property or lists the request's properties",
  async (_, recording, names) => {
    const answer = answerOf(recording);
    const error = await failureOf(ApiError, calls.POST(connect(await serve(() => answer))));
    expect(error.fields.map((field) => field.split(":")[0])).toEqual(names);
    for (const name of names) expect(error.message).toContain(`${name}: `);
    // The fixed sentences hide the reason.
    expect(error.message).not.toMatch(
      /There were some errors|Error in field|[Vv]alidation failed|correct authentication token/,
    );
    const isNamed = names.length > 0 || /match type|with this name/.test(answer.body);
    const lists = error.status === 400 && !isNamed;
    expect(error.message.includes("the request had name, matchType, filters")).toBe(lists);
  },
);

test.each([
  ["an unknown value in words", { title: "Request validation failed", detail: "Unexpected 'match type' value found 'x'" }],
  ["a property", { title: "400 Bad Request\nname must be specified" }],
])("the message omits the list of properties if the service's text names %s", async (_, body) => {
  const { message } = await failureOf(ApiError, calls.POST(connect(await serve(() => ({ status: 400, body })))));
  expect(message).not.toContain("the request had");
});

test("an error hides a secret that the service repeats, both in its message and in its fields", async () => {
  const title =
    "There were some errors in your request, please correct them before trying again. Error in field name : given-token is bad.";
  const error = await failureOf(ApiError, calls.POST(connect(await serve(() => ({ status: 400, body: { title } })))));
  expect(error.fields).toEqual(["name: [secret] is bad"]);
  expect(error.message).not.toContain("given-token");
});
