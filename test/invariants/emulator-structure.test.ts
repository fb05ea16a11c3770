import { importsOf, sourcesOf } from "../support/imports";

test("only the server and the routes of the emulator import routes", () => {
  const loading = sourcesOf("emulator")
    .filter((file) => !file.startsWith("emulator/routes/") && file !== "emulator/server.ts")
    .flatMap((file) => importsOf(file))
    .filter(({ target }) => target.startsWith("emulator/routes"));
  expect(loading).toEqual([]);
});
