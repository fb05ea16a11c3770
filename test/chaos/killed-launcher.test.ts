import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Stack } from "../real/support/stack";

const program = Object.fromEntries(
  Array.from({ length: 5 }, (_, i) => [
    `label-${i}`,
    { kind: "Label", args: { name: `Label ${i}`, matchType: "or", filters: [{ key: "asn", values: [`6451${i}`] }] } },
  ]),
);

it("the provider creates no records after the engine ends, even if a launcher shell still runs", async () => {
  const stack = await Stack.start();
  try {
    // Starts as the official host does: without exec, so that the provider's parent is the shell.
    const folder = join(stack.folder, "launcher");
    mkdirSync(folder);
    const log = join(folder, "log");
    writeFileSync(log, "");
    const launcher = join(folder, "pulumi-resource-pulumi-nodejs");
    writeFileSync(
      launcher,
      "#!/bin/sh\nscript=$(node -e \"console.log(require.resolve('@pulumi/pulumi/cmd/dynamic-provider'))\")\n" +
        `node "$script" $@\necho ended >> "${log}"\n`,
    );
    chmodSync(launcher, 0o755);
    stack.environment["PATH"] = [folder, process.env["PATH"]].join(delimiter);
    stack.declare(program);
    // The lists before the creates are slow, so the engine no longer runs when they are answered.
    await fetch(`${stack.emulator.url}/_emulator/faults`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ operation: "labels.list", kind: "latency", ms: 3_000, n: 1 }),
    });
    const up = stack.start("up", "--yes", "--skip-preview");
    for (let i = 0; i < 1_200 && stack.emulator.requests()["labels.list"] === undefined; i += 1) await sleep(50);
    expect(stack.emulator.requests()["labels.list"]).toBe(1);
    up.kill();
    expect((await up.ended).code).not.toBe(0);
    for (let i = 0; i < 400 && readFileSync(log, "utf8") === ""; i += 1) await sleep(50);
    // Only the shell's line: its child has ended.
    expect(readFileSync(log, "utf8")).toBe("ended\n");
    expect(await stack.ids("labels")).toEqual([]);
    expect(stack.emulator.requests()["labels.create"]).toBeUndefined();
  } finally {
    await stack.end();
  }
});
