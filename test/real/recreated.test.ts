/** Deletes a record and creates it again in the UI. The advice of drift must keep the copy. */
import { report } from "./support/drift";
import { type Program, Stack } from "./support/stack";

const tests = "/v7/endpoint/tests/scheduled-tests/http-server";
const args = { testName: "Portal", url: "https://portal.example.com" };
const program = (more: object = {}): Program => ({ portal: { kind: "HttpServerTest", args: { ...args, ...more } } });

test("an update with adopt: true adopts a record that a user recreated", async () => {
  const stack = await Stack.startWith("native");
  try {
    stack.declare(program());
    await stack.up();
    const old = Object.values(stack.state()).find(({ name }) => name === "portal");
    const before = await (await stack.api("GET", `${tests}/${old?.id}?aid=1001`)).json();
    await stack.api("DELETE", `${tests}/${old?.id}?aid=1001`);
    const { testId: _id, ...body } = before as Record<string, unknown>;
    const created = (await (await stack.api("POST", `${tests}?aid=1001`, body)).json()) as { testId: string };

    const run = await stack.cli("drift", "--json");
    expect(run.code).toBe(2);
    expect(report(run).stacks[0]?.missing).toEqual([
      expect.objectContaining({ name: "portal", recreated: { id: created.testId, name: "Portal" } }),
    ]);
    const shown = await stack.cli("drift");
    expect(shown.stdout).toContain(`was probably recreated: record ${created.testId} ("Portal") has the same settings.`);

    stack.declare(program({ adopt: true }));
    await stack.must("up", "--yes", "--skip-preview", "--refresh");
    const now = Object.values(stack.state()).find(({ name }) => name === "portal");
    expect(now?.id).toBe(created.testId);
    expect((await stack.cli("drift", "--json")).code).toBe(0);
  } finally {
    await stack.end();
  }
});
