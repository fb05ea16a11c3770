import { readerVariable } from "../access";
import { paths } from "../ask";
import { type Row } from "../row";
import { type Answer, type Body, missing } from "../session";
import { membersOf } from "./parts";

/** Account groups, roles, tokens and links. */
export const accessRows: readonly Row[] = [
  {
    id: "foreign-account-group",
    topic: "`aid` of an account group that the caller is not assigned to",
    emulator: "403",
    known: "an error; which status is not stated",
    file: "emulator/server.ts",
    probe: async (ask) => ({ status: (await ask.get(paths.label, undefined, { aid: missing.id })).status }),
    answers: { status: 403 },
  },
  {
    id: "record-of-another-group",
    topic: "a record of another account group",
    emulator: "404, as if it did not exist",
    known: "not stated",
    file: "emulator/store.ts",
    probe: async (ask) => {
      const aid = await ask.otherGroup();
      const { body } = await ask.label();
      return { status: (await ask.get(`${paths.label}/${body.id}`, undefined, { aid })).status };
    },
    answers: { status: 404 },
  },
  {
    id: "role-that-reads",
    topic: "roles",
    emulator: "a role that only reads gets 403 for every write",
    known: "names of permissions are public for few operations",
    file: "emulator/server.ts",
    probe: async (ask) => {
      const token = ask.need(ask.access.readerToken, `it takes the token of a user who only reads (${readerVariable})`);
      await ask.nobody();
      return { status: (await ask.post(paths.label, ask.labelBody(), { token })).status };
    },
    answers: { status: 403 },
  },
  {
    id: "token-answer",
    topic: "token answer",
    emulator: "`access_token`, `token_type`, `expires_in` 3600, `scope`; errors as in RFC 6749",
    known: "not published",
    file: "emulator/routes/token.ts",
    probe: async (ask) => {
      const client = ask.client();
      const issued = await ask.token(client);
      const refused = await ask.token({ ...client, client_secret: "wrong" });
      return {
        status: issued.status,
        members: Object.keys(issued.body).toSorted(),
        type: issued.body.token_type,
        seconds: issued.body.expires_in,
        wrongSecret: [refused.status, refused.body?.error],
      };
    },
    answers: {
      status: 200,
      members: ["access_token", "expires_in", "scope", "token_type"],
      type: "Bearer",
      seconds: 3600,
      wrongSecret: [401, "invalid_client"],
    },
  },
  {
    id: "token-form-fields",
    topic: "`x_tenant_id`, `service_bearer_token`",
    emulator:
      "form fields; the tenant is ignored; the second must be a user's API token, and gives the issued token that user's role",
    known: "named only",
    file: "emulator/routes/token.ts",
    probe: async (ask) => {
      const user = ask.need(
        ask.access.serviceBearerToken,
        "it takes a user's API token (ENDPOINT_MONITORING_SERVICE_BEARER_TOKEN)",
      );
      const client = ask.client();
      const both = await ask.token({ ...client, x_tenant_id: "1", service_bearer_token: user });
      const wrong = await ask.token({ ...client, service_bearer_token: "wrong" });
      return { both: both.status, wrongUser: wrong.status };
    },
    answers: { both: 200, wrongUser: 401 },
  },
  {
    id: "token-basic-and-form",
    topic: "token by HTTP Basic and form at once",
    emulator: "the header counts",
    known: "not stated",
    file: "emulator/routes/token.ts",
    probe: async (ask) => {
      const { client_id: id, client_secret: secret } = ask.client();
      const basic = (text: string): Record<string, string> => ({
        authorization: `Basic ${Buffer.from(text).toString("base64")}`,
      });
      const right = await ask.token({ client_id: id, client_secret: "wrong" }, basic(`${id}:${secret}`));
      const wrong = await ask.token({ client_id: id, client_secret: secret }, basic(`${id}:wrong`));
      return { rightHeader: right.status, wrongHeader: wrong.status };
    },
    answers: { rightHeader: 200, wrongHeader: 401 },
  },
  {
    id: "token-scopes",
    topic: "scopes",
    emulator: "`read` and five that were seen publicly; others are `invalid_scope`. A scope limits nothing: the role does",
    known: "one scope, `read`, is defined",
    file: "emulator/routes/token.ts",
    probe: async (ask) => {
      const { status, body } = await ask.token({ ...ask.client(), scope: "nonsense" });
      return { status, error: body?.error };
    },
    answers: { status: 400, error: "invalid_scope" },
  },
  {
    id: "no-token",
    topic: "no token at all",
    emulator: "the same 401 as for a wrong one",
    known: "reported: a body of another shape",
    file: "emulator/problem.ts",
    probe: async (ask) => {
      const none = await ask.get(paths.label, undefined, { token: null });
      const wrong = await ask.get(paths.label, undefined, { token: "wrong" });
      return { none: [none.status, ...membersOf(none.body)], wrong: [wrong.status, ...membersOf(wrong.body)] };
    },
    answers: {
      none: [401, "error", "error_description"],
      wrong: [401, "error", "error_description"],
    },
  },
  {
    id: "aid-in-links",
    topic: "`aid` in links",
    emulator: "self, next, Location and result links carry `aid` when the request did",
    known: "not recorded",
    file: "emulator/server.ts",
    probe: async (ask) => {
      const made = await ask.label();
      const listed = await ask.get(paths.label);
      const test = await ask.plain("agentToServer");
      const named = (href: unknown): boolean => URL.parse(String(href))?.searchParams.get("aid") === ask.access.accountGroupId;
      return {
        self: named(made.body._links?.self?.href),
        location: named(made.headers["location"]),
        list: named(listed.body._links?.self?.href),
        results: (test._links?.testResults ?? []).map(({ href }: Body) => named(href)),
      };
    },
    answers: { self: true, location: true, list: true, results: [true, true] },
  },
  {
    id: "self-link",
    topic: "self link",
    emulator:
      "of a create the record's URL (with `aid`, see above); of a read or update the URL as requested, with its whole query",
    known: "recorded without `aid`, and for creates and updates without any query",
    file: "emulator/server.ts",
    probe: async (ask) => {
      const made = await ask.label();
      const path = `${paths.label}/${made.body.id}`;
      const read = await ask.get(path, { expand: "filters", unknown: "1" });
      const updated = await ask.patch(path, { color: "#112233" });
      const selfOf = ({ body }: Answer): unknown => body._links?.self?.href;
      const search = (answer: Answer): string[] => [...(URL.parse(String(selfOf(answer)))?.searchParams.keys() ?? [])];
      return {
        path: URL.parse(String(selfOf(made)))?.pathname === path,
        isLocation: selfOf(made) === made.headers["location"],
        create: search(made),
        read: search(read),
        update: search(updated),
      };
    },
    answers: { path: true, isLocation: true, create: ["aid"], read: ["aid", "expand", "unknown"], update: ["aid"] },
  },
  {
    id: "second-api-token",
    topic: "`POST /v7/api-tokens`",
    emulator: "any user may; a second one within 14 days is a 409",
    known: "the 409 is stated",
    file: "emulator/routes/api-tokens.ts",
    reason: "it would replace the API token of whoever runs it",
  },
  {
    id: "usage-and-roles",
    topic: "`GET /v7/usage`, `/v7/users/current`, `/v7/roles/{id}`",
    emulator:
      "licenses of the option `licenses` as the contract, and agents that are enabled now as the peak of the month; only the administrator reads them, and roles",
    known: "stated, never recorded; the peak is of any one hour",
    file: "emulator/routes/account.ts",
    reason: "the answers are facts of the account, and personal data of whoever runs it",
  },
];
