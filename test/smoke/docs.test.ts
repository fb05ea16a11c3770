import { repository, runNode } from "../support/process";

it("every page of the documentation says what the code says now", async () => {
  const { stderr } = await runNode(["tools/docs/generate.mjs", "--check"], { cwd: repository });
  expect(stderr).toBe("");
}, 180_000);
