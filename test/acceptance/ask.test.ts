import { createServer, type Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Ask, newShared, paths } from "../../tools/acceptance/ask";
import { Session } from "../../tools/acceptance/session";
import { closeServer, portOf } from "../emulator/loopback";
import { accessTo } from "./support";
import { skipIdleTime } from "../support/idle-time";

skipIdleTime();

// A delay that a busy machine does not miss.
const lagMs = 1_500;
let server: Server;
afterEach(() => closeServer(server));

/** A service that stores a name at once, answers after a delay, and shows the name to reads after `lagMs`. */
function serve(answerDelays: number[]): Promise<number> {
  let [shown, stored, storedAt] = ["old", "old", 0];
  server = createServer((request, response) => {
    const respond = (name: string): void =>
      void response.setHeader("content-type", "application/json").end(JSON.stringify({ id: "1", name }));
    if (request.method === "GET") return respond(performance.now() - storedAt >= lagMs ? stored : shown);
    let text = "";
    request.on("data", (chunk) => (text += String(chunk)));
    request.on("end", () => {
      const { name } = JSON.parse(text) as { name: string };
      [shown, stored, storedAt] = [stored, name, performance.now()];
      void sleep(answerDelays.shift() ?? 0).then(() => respond(name));
    });
  });
  return portOf(server);
}

test("a read waits until the last write is visible, even if the service answered an earlier write late", async () => {
  const port = await serve([lagMs / 3]);
  const session = new Session(accessTo(`http://127.0.0.1:${port}`, { token: "emulator-token" }));
  const ask = new Ask(session, "row", newShared());
  const path = `${paths.label}/1`;
  session.own.add(path);
  const isShown = async (name: string): Promise<boolean> => (await ask.get(path)).body.name === name;
  await ask.patch(path, { name: "first" });
  expect(await ask.settled(async () => ({ get: await isShown("first") }))).toEqual({ get: false });
  await ask.patch(path, { name: "second" });
  expect(await isShown("second")).toBe(true);
});
