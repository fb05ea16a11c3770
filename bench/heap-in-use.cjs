/** Loaded before a program whose memory is measured: on SIGUSR2 it tells its parent how many bytes of the heap are in use. */
process.on("SIGUSR2", () => {
  globalThis.gc();
  process.send(process.memoryUsage().heapUsed);
});
