/** Moves a record between two providers with different host names of one service on the real engine. */
import { fronts, Stack } from "./support/stack";

describe.each(fronts)("two host names of one service with %s resources", (front) => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.startWith(front, { agents: 0 });
  });
  afterAll(() => stack.end());

  /** Returns a program with the label of one provider: `first` has the host of the stack, and `second` its other name. */
  const program = (name: string, provider: "first" | "second", settings = "", args = ""): string => `
const pulumi = require("@pulumi/pulumi");
const { Label, Provider } = require("${stack.module}");
const token = new pulumi.Config("endpoint-monitoring").requireSecret("token");
const first = new Provider("first", { baseUrl: "${stack.emulator.url}", token });
const second = new Provider("second", { baseUrl: "${stack.emulator.url.replace("127.0.0.1", "localhost")}", token${settings} });
new Label("${name}", { name: "Office", matchType: "and", filters: []${args} }, { provider: ${provider} });
`;

  test("an adoption by a provider with a second host name keeps the record", async () => {
    stack.write(program("office", "first"));
    await stack.up();
    const [id = ""] = await stack.ids("labels");
    stack.write(program("lobby", "second", "", ", adopt: true"));
    const { code, text } = await stack.run("up", "--yes", "--skip-preview");
    expect(code).not.toBe(0);
    expect(text.replace(/\s+/g, " ")).toContain(
      `The label ${id} at ${stack.emulator.url} was not deleted. Another provider in this operation uses ${stack.emulator.url.replace("127.0.0.1", "localhost")}`,
    );
    expect(await stack.ids("labels")).toEqual([id]);
    stack.write(program("lobby", "second", `, movedFrom: "${stack.emulator.url}"`));
    expect(await stack.up()).toMatchObject({ delete: 1 });
    expect([await stack.ids("labels"), Object.keys(stack.state())]).toEqual([[id], ["lobby"]]);
    expect(await stack.refresh()).not.toHaveProperty("delete");
    expect([await stack.destroy(), await stack.ids("labels")]).toEqual([expect.objectContaining({ delete: 4 }), []]);
  });
});
