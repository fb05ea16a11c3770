import { importsOf, sourcesOf } from "../support/imports";

test("only the emulator's server and route modules import route modules", () => {
  const loading = sourcesOf("emulator")
    .filter((file) => !file.startsWith("emulator/routes/") && file !== "emulator/server.ts")
    .flatMap((file) => importsOf(file))
    .filter(({ target }) => target.startsWith("emulator/routes"));
  expect(loading).toEqual([]);
});
