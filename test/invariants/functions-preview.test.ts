/** Tests functions that return measurements, in a preview: each preview would differ from the last preview. */
import * as pulumi from "@pulumi/pulumi";
import * as sdk from "../../sdk";
import { settle } from "../support/api/functions";
import { useEmulator } from "../support/emulator";

const service = useEmulator();
beforeAll(() => settle({ baseUrl: service.url, token: "emulator-token" }));

/** Returns a program's warnings as the engine receives them. */
async function warningsOf(program: () => Promise<unknown>): Promise<string[]> {
  const { warn } = console;
  const warnings: string[] = [];
  console.warn = (line: string) => warnings.push(line);
  try {
    await program();
  } finally {
    console.warn = warn;
  }
  return warnings;
}

const mocks: pulumi.runtime.Mocks = { newResource: ({ name, inputs }) => ({ id: name, state: inputs }), call: () => ({}) };
const measurements = () => sdk.getLocalNetworks();

test("a preview warns once if the program calls functions that read measurements", async () => {
  expect(await warningsOf(measurements)).toEqual([]);
  await pulumi.runtime.setMocks(mocks, "project", "stack", false);
  expect(await warningsOf(measurements)).toEqual([]);
  await pulumi.runtime.setMocks(mocks, "project", "stack", true);
  expect(await warningsOf(() => sdk.getAgents())).toEqual([]);
  const [warning, ...others] = await warningsOf(async () => [await measurements(), await measurements()]);
  expect(warning).toContain("The program reads measurements");
  expect(others).toEqual([]);
});
