import { createClient, ServerError } from "../../api/public";
import { type Emulator, start } from "../../emulator";

let emulator: Emulator;
let client: ReturnType<typeof createClient>;
beforeEach(async () => {
  emulator = await start({ rateLimit: "off" });
  client = createClient({ baseUrl: emulator.url, token: "emulator-token" });
});
afterEach(async () => {
  await client.close();
  await emulator.close();
});

const office = { body: { name: "Office", matchType: "or" as const, filters: [] } };

it("clearFaults() deletes scheduled faults", async () => {
  emulator.fault({ operation: "labels.create", kind: "status", status: 500 });
  await expect(client.labels.create(office)).rejects.toBeInstanceOf(ServerError);
  emulator.fault({ operation: "labels.create", kind: "status", status: 500, n: 5 });
  emulator.clearFaults();
  expect((await client.labels.create(office)).name).toBe("Office");
});

it("visit() records a user's visit to several pages", async () => {
  const timing = { startTime: 0, responseStart: 100, responseEnd: 120, loadEventEnd: 480 };
  const first = emulator.visit({ url: "https://app.example.com/", title: "App", timing });
  const second = emulator.visit({ url: "https://app.example.com/settings", id: first.id, timing });
  expect([second.id, second.pageId === first.pageId]).toEqual([first.id, false]);
  const answer = await fetch(`${emulator.url}/v7/endpoint/test-results/real-user-tests/${first.id}`, {
    headers: { authorization: "Bearer emulator-token" },
  });
  expect(await answer.json()).toMatchObject({ results: [{ id: first.id, numberOfPages: 2 }] });
});

it.each([
  [
    "a fault",
    (running: Emulator) => running.fault({ kind: "explode" as "status" }),
    /^A fault for the emulator is invalid: kind /,
  ],
  [
    "a visit",
    (running: Emulator) => running.visit({ url: "no URL", timing: {} }),
    /^A visit for the emulator is invalid: url /,
  ],
  [
    "the visit of a page",
    (running: Emulator) => running.visit({ url: "https://a.example.com", id: "none", timing: {} }),
    /No real user test none/,
  ],
])("the emulator rejects %s with invalid values and shows the reason", (_what, call, message) => {
  expect(() => call(emulator)).toThrow(
    expect.objectContaining({ code: "INVALID_OPTION", message: expect.stringMatching(message) }),
  );
});

it("start() lists the known options in the error for an unknown option", async () => {
  const wrong: object = { agentz: 3 };
  await expect(start(wrong)).rejects.toMatchObject({
    code: "INVALID_OPTION",
    message: expect.stringMatching(
      /^An option for the emulator is invalid: "agentz" is unknown\. Expected: agents, allowHosts, .*uniqueTestNames/,
    ),
  });
  // @ts-expect-error the compiler refuses it, too
  await expect(start({ agentz: 3 })).rejects.toMatchObject({ code: "INVALID_OPTION" });
});
