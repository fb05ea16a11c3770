/**
 * Node loads this module before a measured program. On SIGUSR2, the program collects garbage and sends the bytes in use to its
 * parent process. NODE_OPTIONS does not allow `--expose-gc`.
 */
require("node:v8").setFlagsFromString("--expose-gc");
const collect = require("node:vm").runInNewContext("gc");
process.on("SIGUSR2", () => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  process.send({ heap: heapUsed, external });
});
