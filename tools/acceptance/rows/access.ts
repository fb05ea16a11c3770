import { readerVariable } from "../access";
import { paths } from "../ask";
import { type Row } from "../row";
import { type Answer, type Body, missing } from "../session";
import { membersOf } from "./parts";

export const accessRows: readonly Row[] = [
  {
    id: "foreign-account-group",
    topic: "`aid` of an account group that the caller does not belong to",
    emulator: "403",
    known: "The documentation describes the error, but not its status",
    file: "emulator/server.ts",
    probe: async (ask) => ({ status: (await ask.get(paths.label, undefined, { aid: missing.id })).status }),
    answers: { status: 403 },
  },
  {
    id: "record-of-another-group",
    topic: "Request for a record in another account group",
    emulator: "The emulator returns status 404, as for a record that does not exist",
    known: "Not documented",
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
    topic: "Roles",
    emulator: "A write request by a user with a read-only role returns status 403",
    known: "The documentation names the required permissions of only a few operations",
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
    topic: "Response of a token request",
    emulator: "`access_token`, `token_type`, `expires_in` 3600, `scope`; errors as in RFC 6749",
    known: "Not documented",
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
      "The emulator accepts both form fields, and ignores `x_tenant_id`. The value of `service_bearer_token` must be a user's API token, and the issued token has this user's role",
    known: "Only the names of the form fields are documented",
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
    topic: "Token request with HTTP Basic and form credentials",
    emulator: "The emulator uses the credentials in the `Authorization` header",
    known: "Not documented",
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
    topic: "Scopes",
    emulator:
      "The emulator accepts `read` and five scopes that public clients request, and otherwise returns the error `invalid_scope`. A token's access depends only on the user's role",
    known: "Only the scope `read` is documented",
    file: "emulator/routes/token.ts",
    probe: async (ask) => {
      const { status, body } = await ask.token({ ...ask.client(), scope: "nonsense" });
      return { status, error: body?.error };
    },
    answers: { status: 400, error: "invalid_scope" },
  },
  {
    id: "no-token",
    topic: "Request without a token",
    emulator: "401, as for a wrong token",
    known: "Users report that the service returns a different error body than for a wrong token",
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
    emulator: "If a request has `aid`, the links `self` and `next`, links to results, and `Location` also contain `aid`",
    known: "Not recorded",
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
    topic: "Self link",
    emulator:
      "The self link of a created record is the record's URL. The self link in the response to a read or update request is the requested URL with its query",
    known: "The recorded requests have no `aid`. The recorded create and update requests have no query",
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
    emulator: "Any user may request a new API token. A second request within 14 days returns status 409",
    known: "Status 409 is documented",
    file: "emulator/routes/api-tokens.ts",
    reason: "it would replace the API token of the user who runs the checks",
  },
  {
    id: "usage-and-roles",
    topic: "`GET /v7/usage`, `/v7/users/current`, `/v7/roles/{id}`",
    emulator:
      "The emulator's option `licenses` sets the number of licenses in the contract. The reported monthly peak is the current number of enabled agents. Only the administrator may read usage and roles",
    known: "Not recorded. The documented peak is the largest number of enabled agents in any hour",
    file: "emulator/routes/account.ts",
    reason: "the responses contain facts about the account, and personal data of the user who runs the checks",
  },
];
