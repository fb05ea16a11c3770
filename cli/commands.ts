import { checkCommand } from "./check";
import type { Command } from "./command";
import { driftCommand } from "./drift";
import { emulatorCommand } from "./emulator";
import { importCommand } from "./import";
import { reviewCommand } from "./review";
import { verifyCommand } from "./verify";

/** Every subcommand, in the order of the help. */
export const commands: readonly Command[] = [
  importCommand,
  reviewCommand,
  driftCommand,
  verifyCommand,
  checkCommand,
  emulatorCommand,
];
