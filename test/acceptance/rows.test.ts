import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isAsked } from "../../tools/acceptance/row";
import { rows } from "../../tools/acceptance/rows";
import { repository } from "../support/process";

test.each(rows.map((row) => ({ row, id: row.id })))(
  "the acceptance check $id has expected responses or a reason why the responses are missing",
  ({ row }) => {
    expect(row.id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    for (const text of [row.topic, row.emulator, row.known]) expect(text).not.toBe("");
    expect(existsSync(join(repository, row.file))).toBe(true);
    expect(isAsked(row) ? JSON.stringify(row.answers) : row.reason).toMatch(/^[{a-z].{10,}/);
  },
);

test("the ids of acceptance checks are unique and never change", () => {
  const ids = rows.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toMatchSnapshot();
});

test("emulator/DIFFERENCES.md lists exactly the acceptance checks without the mark `listed: false`", () => {
  const page = readFileSync(join(repository, "emulator/DIFFERENCES.md"), "utf8");
  const [, table = ""] = /## Assumptions\n(.*?)\n## /s.exec(page) ?? [];
  const topics = table.split("\n").flatMap((line) => /^\| (?!---|Topic )(.*?) \| /.exec(line)?.[1] ?? []);
  expect(topics).toEqual(rows.filter(({ listed = true }) => listed).map(({ topic }) => topic));
});
