import { writeSync } from "node:fs";
import "../provider/compile-cache";
import { endWithEngine, engineAddress } from "../provider/parent";
import { loadProtocol } from "./protocol";
import { MissingSdkError } from "./sdk-modules";

/**
 * Starts the server on a free port of this machine, and prints the port. The standard output must contain only the port,
 * because the engine reads the port from the standard output.
 */
export async function run(): Promise<void> {
  endWithEngine();
  try {
    const protocol = loadProtocol();
    const { createServer } = require("./server") as typeof import("./server");
    const server = createServer(protocol, engineAddress(process.argv.slice(2)));
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync("127.0.0.1:0", protocol.grpc.ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    });
    writeSync(1, `${port}\n`);
  } catch (error) {
    // For an unexpected error, the message contains the stack trace, because the trace helps to find the bug.
    process.stderr.write(`${error instanceof MissingSdkError ? error.message : String((error as Error).stack)}\n`);
    process.exit(1);
  }
}
