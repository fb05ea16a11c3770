import { importsOf, sourcesOf } from "../support/imports";

test("in the emulator, only the server and the routes import routes", () => {
  const loading = sourcesOf("emulator")
    .filter((file) => !file.startsWith("emulator/routes/") && file !== "emulator/server.ts")
    .flatMap((file) => importsOf(file))
    .filter(({ target }) => target.startsWith("emulator/routes"));
  expect(loading).toEqual([]);
});
