/** Runs review and apply on the real engine, with both provider types. */
import { createDecipheriv, createHash, createHmac, pbkdf2Sync } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { kindCases } from "../support/kinds";
import { passphrase } from "./support/prepared";
import { frontsWithinTime, type Program, Stack } from "./support/stack";

const { password: _, authType: __, username: ___, ...plain } = kindCases.httpServerTest.full;
const secretTest = (testName: string, secret: string, rest: object = {}) => ({
  kind: "HttpServerTest",
  args: { ...plain, authType: "basic", username: "probe", testName, password: { $secret: secret }, ...rest },
});

/** Words that a reader of an approval may guess. */
const dictionary = ["password", "hunter2", "letmein", "dr4gon", "battery-st4ple", "corr3ct-horse", "first", "second"];

interface Applied {
  code: number | null;
  text: string;
  data: {
    outcome: string;
    differences: { what: string; urn?: string; text: string }[];
    passed: { rule: string }[];
    approved: string;
    now: string;
  };
}

describe.each(frontsWithinTime)("approved changes with %s resources", (front) => {
  let stack: Stack;
  const file = () => join(stack.folder, "approval.json");
  const before: Program = {
    kept: secretTest("kept", "first"),
    rotated: secretTest("rotated", "first"),
    gone: secretTest("gone", "first"),
    label: { kind: "Label", args: kindCases.label.minimal },
  };
  const after: Program = {
    kept: secretTest("kept", "first", { interval: 600 }),
    rotated: secretTest("rotated", "second"),
    added: secretTest("added", "second"),
    label: { kind: "Label", args: { ...kindCases.label.minimal, name: "Renamed" } },
  };
  const salt = (): string => {
    const settings = parse(readFileSync(join(stack.folder, "Pulumi.dev.yaml"), "utf8")) as { encryptionsalt: string };
    return settings.encryptionsalt.split(":")[1] ?? "";
  };
  /** Decrypts a secret of the stack, as a user with the passphrase can. */
  const unsealed = (secret: string): string => {
    const [, nonce = Buffer.alloc(0), text = Buffer.alloc(0)] = secret.split(":").map((part) => Buffer.from(part, "base64"));
    const key = pbkdf2Sync(passphrase, Buffer.from(salt(), "base64"), 1_000_000, 32, "sha256");
    const decipher = createDecipheriv("aes-256-gcm", key, nonce);
    decipher.setAuthTag(Buffer.from(text.subarray(-16)));
    return Buffer.concat([decipher.update(text.subarray(0, -16)), decipher.final()]).toString();
  };
  async function approve(): Promise<string> {
    const run = await stack.cli("review", "--json", "--approval", file());
    expect(run.stderr).not.toContain("error:");
    const { data } = JSON.parse(run.stdout) as { data: { approval: { digest: string } } };
    expect(data.approval.digest).toBe(`sha256:${createHash("sha256").update(readFileSync(file())).digest("hex")}`);
    return data.approval.digest;
  }
  async function apply(...args: string[]): Promise<Applied> {
    const run = await stack.cli("apply", "--json", ...args);
    const data = run.stdout === "" ? {} : (JSON.parse(run.stdout) as { data?: object }).data;
    return { code: run.code, text: run.text, data: (data ?? {}) as Applied["data"] };
  }

  beforeAll(async () => {
    stack = await Stack.startWith(front, { agents: 20 }, "passphrase");
    await stack.secret("first", "hunter2");
    await stack.secret("second", "dr4gon");
    stack.declare(before);
    await stack.up();
    stack.declare(after);
  });
  afterAll(() => stack.end());

  test("a failed preview names the resource with its file and line", async () => {
    stack.declare({ ...after, label: { kind: "Label", args: { ...kindCases.label.minimal, matchType: "nor" } } });
    const run = await stack.cli("review");
    stack.declare(after);
    expect(run.text).toMatch(/label: .*matchType.* \(\S+:\d+\)$/m);
    expect(run.code).toBe(1);
  });

  let digest: string;
  test("the approval that a review writes contains no secret", async () => {
    digest = await approve();
    const text = readFileSync(file(), "utf8");
    const approval = JSON.parse(text) as {
      changes: { urn: string; op: string; after?: Record<string, unknown> }[];
      key: string;
    };
    expect(approval.changes.map(({ urn, op }) => `${op} ${urn.split("::").at(-1)}`).toSorted()).toEqual([
      "create added",
      "delete gone",
      "replace rotated",
      "update kept",
      "update label",
    ]);
    const digests = [...text.matchAll(/"\$secret": "([0-9a-f]{64})"/g)].map(([, hex]) => hex);
    // Only the unchanged password of an unchanged property can be recognized as equal.
    expect(new Set(digests).size).toBe(digests.length - 1);
    const places = approval.changes.map(({ urn }) => `${urn} password`);
    const tried = (key: string): string[] =>
      places.flatMap((place) =>
        dictionary.map((word) =>
          createHmac("sha256", key)
            .update(JSON.stringify([place, word]))
            .digest("hex"),
        ),
      );
    for (const word of dictionary) {
      expect(text).not.toContain(`: "${word}"`);
      expect(digests).not.toContain(createHash("sha256").update(word).digest("hex"));
    }
    const guesses = [...dictionary, "", "dev", "test", passphrase, approval.key, salt()];
    expect(guesses.flatMap(tried).filter((guess) => digests.includes(guess))).toEqual([]);
    // The passphrase gives access to the key, so this search succeeds.
    expect(new Set(tried(unsealed(approval.key)).filter((guess) => digests.includes(guess))).size).toBe(digests.length - 1);
    expect(stack.output).not.toMatch(/hunter2|dr4gon/);
  });

  test("apply stops if a secret, the program or a record changed after the review", async () => {
    const id = stack.state()["label"]?.id ?? "";
    await stack.secret("second", "l3tmein");
    stack.declare({ ...after, kept: secretTest("kept", "first", { interval: 1800 }) });
    await stack.change("label", id, { color: "#123456" });
    const run = await apply("--approved", file());
    await stack.secret("second", "dr4gon");
    stack.declare(after);
    await stack.change("label", id, { color: "#d9d9d9" });
    const differences = run.data.differences.map(({ what, urn, text }) => [what, urn?.split("::").at(-1), text]);
    expect(differences.toSorted((a, b) => (a.join() < b.join() ? -1 : 1))).toEqual([
      ["differs", "added", expect.stringMatching(/test "added": secret password differs from the approved value$/)],
      ["differs", "kept", expect.stringMatching(/test "kept": interval: approved 600, now 1800$/)],
      ["differs", "rotated", expect.stringMatching(/test "rotated": secret password differs from the approved value$/)],
      [
        "record",
        "label",
        expect.stringMatching(
          /^label "label" \(id \d+\) was changed in the service after the approval: color: approved #d9d9d9, now #123456$/,
        ),
      ],
    ]);
    expect([run.code, run.data.outcome]).toEqual([2, "refused"]);
    expect(run.text).not.toMatch(/l3tmein|dr4gon|hunter2/);
  });

  test("`apply` makes the approved changes even if unrelated agents have changed", async () => {
    const path = "/v7/endpoint/agents";
    const { agents } = (await (await stack.api("GET", `${path}?aid=1001`)).json()) as {
      agents: { id: string; status: string }[];
    };
    const [first, second] = agents.filter(({ status }) => status === "enabled");
    await stack.api("POST", `${path}/${first?.id}/disable?aid=1001`);
    await stack.api("DELETE", `${path}/${second?.id}?aid=1001`);
    const run = await apply("--approved", file(), "--approved", digest);
    const text = run.code === 0 ? "" : run.text;
    expect({ ...run.data, text }).toMatchObject({ outcome: "applied", differences: [], passed: [], text: "" });
    expect(Object.keys(stack.state()).toSorted()).toEqual(["added", "kept", "label", "rotated"]);
    expect(run.text).toMatch(/Stack dev: 1 renamed, 2 updated, 1 replaced\n[^]*kept updated/);
  });
});
