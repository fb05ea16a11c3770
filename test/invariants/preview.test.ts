/** Only one module may read the engine's previews, and only a few files may pass on their steps. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { importsOf, publishedModules, repository, sourcesOf } from "../support/imports";

const textOf = (path: string): string => readFileSync(join(repository, path), "utf8");
const files = publishedModules.flatMap((module) => sourcesOf(module)).filter((file) => file.endsWith(".ts"));

test("only the module engine/ parses previews", () => {
  const readers = files.flatMap((file) =>
    importsOf(file).filter(({ target, typeOnly }) => target === "engine/preview-output" && !typeOnly),
  );
  expect([...new Set(readers.map(({ file }) => file))]).toEqual(["engine/preview.ts"]);
});

test("only the module engine/ runs previews", () => {
  const runners = files.filter((file) => /["'`]preview["'`],[^;]*["'`]--json["'`]/.test(textOf(file)));
  expect(runners.length).toBeGreaterThan(0);
  expect(runners.filter((file) => !file.startsWith("engine/"))).toEqual([]);
});

test("ARCHITECTURE.md lists at most eight functions between a preview step and the review text", () => {
  const section =
    textOf("ARCHITECTURE.md").split("## A step, from the preview to the text of a review")[1]?.split("\n## ")[0] ?? "";
  const stations = [...section.matchAll(/^\d+\. `(\w+)` in `([\w/.-]+)`/gm)].map(([, name = "", file = ""]) => ({
    name,
    file,
  }));
  expect(stations.length).toBeGreaterThan(4);
  expect(stations.length).toBeLessThanOrEqual(8);
  expect(stations.filter(({ name, file }) => !new RegExp(`export (async )?function ${name}\\b`).test(textOf(file)))).toEqual(
    [],
  );
  // A file before it calls a station, or the station calls one.
  const unused = stations.slice(1).filter(({ name }) => !files.some((file) => new RegExp(`\\b${name}\\(`).test(textOf(file))));
  expect(unused).toEqual([]);
});
