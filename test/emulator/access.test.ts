import { areas, Bench, minimal, paths } from "./support";

const reader = { token: "emulator-read-only-token" };

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.start();
});
afterEach(() => bench.close());

test.each(areas)("a user with a read-only role can read %s but not write", async (area) => {
  const made = await bench.call("POST", paths[area], { body: minimal[area] });
  const recordPath = `${paths[area]}/${made.body.id ?? made.body.testId}`;
  expect((await bench.call("GET", paths[area], reader)).status).toBe(200);
  expect((await bench.call("GET", recordPath, reader)).status).toBe(200);
  const writes = [
    await bench.call("POST", paths[area], { ...reader, body: minimal[area] }),
    await bench.call("PATCH", recordPath, { ...reader, body: minimal[area] }),
    await bench.call("DELETE", recordPath, reader),
  ];
  expect(writes.map(({ status }) => status)).toEqual([403, 403, 403]);
  expect(await bench.everything()).toHaveLength(1);
});

test("a token has the role of the token's user", async () => {
  const form = { grant_type: "client_credentials", client_id: "emulator", client_secret: "emulator-secret" };
  const raw = new URLSearchParams({ ...form, service_bearer_token: reader.token });
  const { body } = await bench.call("POST", "/v7/oauth2/token", { token: null, raw });
  const token = body.access_token;
  expect((await bench.call("POST", paths.label, { token, body: minimal.label })).status).toBe(403);
});

test("a user sees only the user's own account groups", async () => {
  const { body } = await bench.call("GET", "/v7/account-groups", reader);
  expect(body.accountGroups).toMatchObject([
    { aid: "1001", accountGroupName: "Headquarters", isCurrentAccountGroup: true, isDefaultAccountGroup: true },
    { aid: "1002", accountGroupName: "Branch offices", isCurrentAccountGroup: false, isDefaultAccountGroup: false },
  ]);
});

test.each(areas)("the emulator returns a record of %s only in the record's own account group", async (area) => {
  const made = await bench.call("POST", `${paths[area]}?aid=1002`, { body: minimal[area] });
  const recordPath = `${paths[area]}/${made.body.id ?? made.body.testId}`;
  expect(made.headers.get("location")).toBe(`${bench.url}${recordPath}?aid=1002`);
  const statuses = async (query: string) => {
    const get = await bench.call("GET", recordPath + query);
    const patch = await bench.call("PATCH", recordPath + query, { body: minimal[area] });
    const { body } = await bench.call("GET", paths[area] + query);
    return [get.status, patch.status, (body.labels ?? body.tests).length];
  };
  expect(await statuses("?aid=1002")).toEqual([200, 200, 1]);
  // Without aid, the login account group applies.
  for (const query of ["", "?aid=1001", "?aid=1003"]) expect(await statuses(query)).toEqual([404, 404, 0]);
  for (const query of ["", "?aid=1003"]) expect((await bench.call("DELETE", recordPath + query)).status).toBe(404);
  expect((await bench.call("DELETE", `${recordPath}?aid=1002`)).status).toBe(204);
});

test.each([
  ["1003", reader.token],
  ["9999", "emulator-token"],
  ["", "emulator-token"],
])("the emulator returns status 403 for the account group %p if the user is not a member", async (aid, token) => {
  for (const area of areas) expect((await bench.call("GET", `${paths[area]}?aid=${aid}`, { token })).status).toBe(403);
});
