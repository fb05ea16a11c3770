import { join } from "node:path";
import type { Options } from "prettier";
import type { Output } from "../report/output";
import { messageOf } from "../report/text";

/** Formats a file of TypeScript, by its path. */
export type Format = (path: string, text: string) => Promise<string>;

/** Formats by the folder's own configuration of prettier, which editors and checks there use. */
export async function formatOf(root: string, out: Output): Promise<Format> {
  // Loaded when needed: it takes a good part of a second.
  const prettier = await import("prettier");
  let isReported = false;
  const configured = async (path: string): Promise<Options> => {
    try {
      return (await prettier.resolveConfig(join(root, path), { editorconfig: true })) ?? {};
    } catch (error) {
      if (!isReported) out.warn(`prettier's configuration cannot be read (${firstLine(error)}): files get its usual format`);
      isReported = true;
      return {};
    }
  };
  return async (path, text) => {
    const filepath = join(root, path);
    const settings = await configured(path);
    try {
      return await prettier.format(text, { ...settings, filepath });
    } catch (error) {
      // A plugin that is not installed, or an option that this version does not know: the text itself is ours.
      if (!isReported) out.warn(`prettier's configuration does not work (${firstLine(error)}): files get its usual format`);
      isReported = true;
      return prettier.format(text, { filepath });
    }
  };
}

function firstLine(error: unknown): string {
  return messageOf(error).split("\n")[0] ?? "";
}
