import { repository, runNode } from "../support/process";

it("the generated documentation matches the code", async () => {
  const { stderr } = await runNode(["tools/docs/generate.mjs", "--check"], { cwd: repository });
  expect(stderr).toBe("");
});
