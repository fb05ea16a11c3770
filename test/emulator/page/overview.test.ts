import { useEmulator } from "../../support/emulator";
import { flat, look, minimal, paths } from "../support";

const emulator = useEmulator();

test("the overview shows the numbers of records, this machine's tests and the latest requests", async () => {
  const overview = async (query = "") => flat(await (await look(emulator.url, `/${query}`)).text());
  // The emulator does not measure the target, so no test fails and moves to the front.
  for (let n = 1; n <= 9; n += 1) await emulator.create(paths.httpServer, { ...minimal.httpServer, testName: `Test ${n}` });
  await emulator.create(paths.label, minimal.label, "1002");
  const page = await overview();
  expect(page).toMatch(
    / Headquarters \d+ Agents 0 Labels 0 Tags 9 Tests 10 Requests .* is the only agent that measures\. It runs 9 tests\. /,
  );
  expect(page).toMatch(
    / Test 9 (?!.* Test 1 ).* Test 2 .* All 9 tests Latest requests .* POST \/v7\/endpoint\/labels\?aid=1002 201 labels\.create Branch offices /,
  );
  expect(await overview("?aid=1002")).toMatch(
    / Branch offices \d+ Agents 1 Labels 0 Tags 0 Tests .* It runs 9 tests of Headquarters\. Tests None yet\. /,
  );
});
