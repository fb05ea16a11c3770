import { repository, runNode } from "../support/process";

it("the types that programs see are those of the schemas, and each member has a meaning", async () => {
  const { stderr } = await runNode(["docs/types.mjs", "--check"], { cwd: repository });
  expect(stderr).toBe("");
}, 60_000);
