import { importsOf, sourcesOf } from "../support/imports";

test("what is stored is declared in model: nothing but the server and the routes themselves loads a route", () => {
  const loading = sourcesOf("emulator")
    .filter((file) => !file.startsWith("emulator/routes/") && file !== "emulator/server.ts")
    .flatMap((file) => importsOf(file))
    .filter(({ target }) => target.startsWith("emulator/routes"));
  expect(loading).toEqual([]);
});
