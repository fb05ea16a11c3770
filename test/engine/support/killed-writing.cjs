// Loaded before a command (NODE_OPTIONS=--require): ends it for good at one point of its writing, as a power cut would.
// KILL_AT=n ends it at the n-th point: in the middle of the text of a file, and before a file takes its name.
const fs = require("node:fs");

let left = Number(process.env.KILL_AT);
const isPoint = () => (left -= 1) === 0;
const { writeFileSync, renameSync } = fs;

fs.writeFileSync = (file, text, ...rest) => {
  // A file that is already open: the others are not the command's own.
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
