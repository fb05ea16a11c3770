/**
 * Node loads this module before a measured program. On SIGUSR2, the program sends its parent the bytes in use, in its heap and in buffers
 * outside it. The environment cannot set `--expose-gc`.
 */
require("node:v8").setFlagsFromString("--expose-gc");
const collect = require("node:vm").runInNewContext("gc");
process.on("SIGUSR2", () => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  process.send({ heap: heapUsed, external });
});
