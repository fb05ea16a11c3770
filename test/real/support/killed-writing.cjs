// Loaded before a command (NODE_OPTIONS=--require): kills it at one point of its writing, as a power failure would. KILL_AT=n
// selects the n-th point: in the middle of a file's text, and before a file gets its name.
const fs = require("node:fs");

let remaining = Number(process.env.KILL_AT);
const isPoint = () => (remaining -= 1) === 0;
const { writeFileSync, renameSync } = fs;

fs.writeFileSync = (file, text, ...rest) => {
  // A file that is already open. Other files do not belong to the command.
  if (typeof file === "number" && isPoint()) {
    writeFileSync(file, text.slice(0, text.length / 2), ...rest);
    process.kill(process.pid, "SIGKILL");
  }
  writeFileSync(file, text, ...rest);
};
fs.renameSync = (from, to) => {
  if (isPoint()) process.kill(process.pid, "SIGKILL");
  renameSync(from, to);
};
