import { join } from "node:path";
import { type Json, minimal, paths } from "../emulator/support";
import { builtCommand, endAll, plainEnv, type Started, startProcess } from "../support/process";
import { temporary } from "../support/temporary";
import { headers } from "../support/call";

afterEach(endAll);

/** Starts the emulator in a separate process, and returns its first line of output. */
async function launch(...args: string[]): Promise<{ started: Started; line: string }> {
  const started = startProcess(process.execPath, [builtCommand, "emulator", ...args]);
  return { started, line: await started.line() };
}

test.each(["SIGINT", "SIGTERM"] as const)("the emulator process exits with code 0 after %s", async (signal) => {
  const { started, line } = await launch("--json");
  const { url, token } = JSON.parse(line).data;
  const answer = await fetch(`${url}/v7/account-groups`, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status).toBe(200);
  started.kill(signal);
  expect(await started.ended).toMatchObject({ code: 0, signal: null, stderr: "" });
});

test("the emulator exits if its npx shell receives a signal", async () => {
  const quoted = [process.execPath, builtCommand].map((path) => `'${path}'`).join(" ");
  // The command after it prevents the shell from replacing itself with the emulator.
  const started = startProcess("sh", ["-c", `${quoted} emulator --json; exit 0`], {
    env: plainEnv({ npm_lifecycle_script: "'endpoint-monitoring'" }),
  });
  const { url } = JSON.parse(await started.line()).data;
  const ask = (): Promise<boolean> =>
    fetch(`${url}/_emulator/requests`).then(
      ({ ok }) => ok,
      () => false,
    );
  expect(await ask()).toBe(true);
  started.kill("SIGTERM");
  for (let i = 0; i < 200 && (await ask()); i += 1) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await ask()).toBe(false);
});

test("an emulator that receives SIGKILL loses no acknowledged write", async () => {
  const folder = temporary();
  const file = join(folder, "records.db");
  const body = JSON.stringify(minimal.label);
  const acknowledged: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    const { started, line } = await launch("--json", "--data", file, "--rate-limit", "off");
    const { url } = JSON.parse(line).data;
    const listed: Json = await (await fetch(`${url}/_emulator/records/labels`)).json();
    const ids = listed.records.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining(acknowledged));
    for (const id of ids) {
      const got = await (await fetch(`${url}${paths.label}/${id}?expand=filters`, { headers })).json();
      expect(got).toMatchObject(minimal.label);
    }

    const write = async (): Promise<void> => {
      const answer = await fetch(url + paths.label, { method: "POST", headers, body });
      const made: Json = await answer.json();
      acknowledged.push(made.id);
      if (acknowledged.length === 60 * (round + 1)) started.kill();
      return write();
    };
    // Eight at a time, so that some requests are running when the process ends.
    await Promise.allSettled(Array.from({ length: 8 }, write));
    await started.ended;
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(180);
});
