/** What `run.sh` says where it cannot begin; what it does is shown by the tests of the pipelines. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ours = join(__dirname, "../..");

describe("run.sh", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "run-"));
    writeFileSync(join(folder, "Pulumi.yaml"), 'name: "demo"\n');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync("bash", [join(ours, "examples/ci/run.sh"), ...args], {
      cwd: folder,
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  };

  it("does not fetch a package of the command's name where ours is not installed", () => {
    const stderr = expect.stringMatching(
      /^pulumi-endpoint-monitoring is not installed in .*: npm install pulumi-endpoint-monitoring\n$/,
    );
    expect(run("review")).toEqual({ status: 1, stdout: "", stderr });
  });

  it.each([[[]], [["deploy"]]])("takes no other task: %j", (args) => {
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(ours, join(folder, "node_modules/pulumi-endpoint-monitoring"), "dir");
    const stderr = `run.sh takes install, review, rehearse, comment, approval, up, drift, issue or pull-request, not "${args[0] ?? ""}"\n`;
    expect(run(...args)).toEqual({ status: 1, stdout: "", stderr });
  });
});
