import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** Returns the path of a new folder, without symbolic links. The folder is removed after the suite. */
export function temporary(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "endpoint-monitoring-")));
  folders.push(folder);
  return folder;
}
