/** How soon after the engine's end the provider ends, in ms. */
const watch = 250;
let watching = false;

/**
 * Ends this process when the engine that started it has gone. Killed, the engine leaves its providers running, and one of them
 * would finish a create that nobody records.
 */
export function endWithEngine(): void {
  if (watching) return;
  watching = true;
  const engine = process.ppid;
  setInterval(() => {
    if (process.ppid !== engine) process.exit(1);
  }, watch).unref();
}
