import { repository, runNode } from "../support/process";

it("the types that programs see are those of the schemas, and each member has a meaning", async () => {
  const { stderr } = await runNode(["tools/docs/types.mjs", "--check"], { cwd: repository });
  expect(stderr).toBe("");
}, 60_000);

it("the native front is what the dynamic front says", async () => {
  const { stderr } = await runNode(["tools/docs/native.mjs", "--check"], { cwd: repository });
  expect(stderr).toBe("");
}, 60_000);

it("the schema of the plugin is what the kinds and the documented interfaces say", async () => {
  const { stderr } = await runNode(["tools/docs/schema.mjs", "--check"], { cwd: repository });
  expect(stderr).toBe("");
}, 60_000);
