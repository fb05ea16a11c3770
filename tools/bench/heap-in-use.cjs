/**
 * Loaded before a program whose memory is measured: on SIGUSR2 it tells its parent how many bytes are in use, in its heap and in buffers
 * outside of it. `--expose-gc` is no option that the environment can give.
 */
require("node:v8").setFlagsFromString("--expose-gc");
const collect = require("node:vm").runInNewContext("gc");
process.on("SIGUSR2", () => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  process.send({ heap: heapUsed, external });
});
