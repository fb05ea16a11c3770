import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repository, startProcess } from "../support/process";
import { temporary } from "../support/temporary";

let folder: string;
beforeEach(() => (folder = temporary()));

it.each(Array.from({ length: 8 }, (_, i) => i))(
  "a process killed during a write never leaves an incomplete file (%i)",
  async (i) => {
    const file = join(folder, "big.txt");
    const script = `
    const { writeWhole } = require(${JSON.stringify(join(repository, "dist/common/files.js"))});
    for (let n = 0; ; n += 1) {
      writeWhole(${JSON.stringify(file)}, String(n % 10).repeat(3_000_000));
      if (n === 1) process.stdout.write("going\\n");
    }`;
    const writer = startProcess(process.execPath, ["-e", script]);
    await writer.line();
    // Not a time limit: eight kills at different moments of a write.
    await new Promise((resolve) => setTimeout(resolve, i * 7));
    writer.kill();
    await writer.ended;
    expect(existsSync(file)).toBe(true);
    const text = readFileSync(file, "utf8");
    expect(text).toHaveLength(3_000_000);
    expect(new Set(text).size).toBe(1);
  },
);
