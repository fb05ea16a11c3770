import type { Row } from "./row";
import { row as commands } from "./rows/commands";
import { row as emulator } from "./rows/emulator";
import { rows as engine } from "./rows/engine";
import { growth } from "./rows/growth";
import { startUp } from "./rows/start";

export const rows: readonly Row[] = [...engine, growth, commands, startUp, emulator];
