/**
 * Limits the number of our functions between the engine's call and the request. A user who debugs a create steps through all
 * of them.
 */
import { createHost } from "../../provider/dynamic";
import { recordKind } from "../../provider/record-handler";
import { records } from "../../provider/registry";
import { start } from "../../emulator";

test("creating a resource calls six provider functions between Pulumi's provider host and the API client", async () => {
  const emulator = await start({ rateLimit: "off" });
  try {
    let stack = "";
    const { requests, ...label } = records.label;
    const watched = recordKind({
      ...label,
      requests: {
        ...requests,
        async create(client, body, aid) {
          const limit = Error.stackTraceLimit;
          Error.stackTraceLimit = 100;
          stack = new Error("here").stack ?? "";
          Error.stackTraceLimit = limit;
          return requests.create(client, body, aid);
        },
      },
    });
    const provider = createHost().provider(watched);
    const settings: Record<string, string> = { baseUrl: emulator.url, token: "emulator-token" };
    provider.configure({ config: { get: (key) => settings[key.replace("endpoint-monitoring:", "")] } });
    const { inputs } = await provider.check({}, { name: "Office", matchType: "or", filters: [] });
    await provider.create(inputs);
    const frames = stack.split("\n").filter((line) => /at .*[\\/]provider[\\/][a-z-]+\.ts/.test(line));
    // The kind's declared create, which this test observes, is the last function.
    expect(["the request of the kind", ...frames]).toHaveLength(6);
    for (const file of ["dynamic.ts", "lifecycle.ts", "record-handler.ts", "unknown-outcome.ts"]) {
      expect(frames.some((line) => line.includes(file))).toBe(true);
    }
  } finally {
    await emulator.close();
  }
});
