import { connect } from "node:http2";

/** How often this process looks whether its parent has ended. */
const parentPollIntervalMs = 250;
/** How long a lost connection to the engine is left alone before it is tried once more. */
const reconnectDelayMs = 100;
let watching = false;

/**
 * Ends this process when the engine that started it has gone. Killed, the engine leaves its providers running, and one of them
 * would finish a create that nobody records. The parent is not always the engine: the official host starts the provider by a
 * shell script that outlives the engine. So the engine itself is watched, by its address among the arguments.
 */
export function endWithEngine(): void {
  if (watching) return;
  watching = true;
  const end = (): never => process.exit(1);
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, parentPollIntervalMs).unref();
  const address = engineAddress(process.argv.slice(2));
  if (address !== undefined) watchEngine(address, end);
}

/** The engine's address, as `host:port`, among the arguments of a provider; nothing where a provider was started without one. */
export function engineAddress(args: readonly string[]): string | undefined {
  return args.find((argument) => /^(?:[\w.-]+|\[[\da-fA-F:]+\]):\d{1,5}$/.test(argument));
}

/**
 * Watches an engine by a connection that is held open, and that keeps no process alive. It speaks HTTP/2, since a gRPC server
 * closes connections that do not greet it. A connection that ends is tried once more before that is believed; an address that
 * never answered is no engine.
 *
 * @param end called once when the engine has gone
 */
export function watchEngine(address: string, end: () => void): void {
  let isRetry = false;
  let wasThere = false;
  const open = (): void => {
    // An error is always followed by the end of the connection, which decides.
    const connection = connect(`http://${address}`)
      .on("connect", () => {
        wasThere = true;
        isRetry = false;
      })
      .on("error", () => undefined)
      .on("close", () => {
        if (!isRetry) setTimeout(open, reconnectDelayMs).unref();
        else if (wasThere) end();
        isRetry = true;
      });
    connection.unref();
  };
  open();
}
