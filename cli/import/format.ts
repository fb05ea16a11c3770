import { createRequire } from "node:module";
import { join } from "node:path";
import type { Options } from "prettier";
import type { Output } from "../report/output";
import { messageOf } from "../report/text";
import { styleOf, usual, type Style } from "../edit/style";
import { editorStyle } from "./editorconfig";
import { layOut } from "./layout";
import type { Place } from "./place";

/** Formats a file of TypeScript or JavaScript, by its path. */
export type Format = (path: string, text: string) => Promise<string>;

type Prettier = typeof import("prettier");

/**
 * Formats as the folder's own checks do: by its prettier and the configuration of that, else in the style of its main file and of
 * `.editorconfig`. Line ends that neither of them names are those of the main file.
 */
export async function formatOf(
  { root, entry, source }: Pick<Place, "root" | "entry" | "source">,
  out: Output,
): Promise<Format> {
  const file = source?.file(entry);
  const style = source && file ? styleOf(source.ts, file) : usual;
  const prettier = prettierOf(root) ?? (await ownPrettier());
  return prettier
    ? formatBy(prettier, root, style, out)
    : async (path, text) => {
        return layOut(text, { ...style, ...editorStyle(join(root, path)) });
      };
}

/** The copy that the project's own checks use. */
function prettierOf(root: string): Prettier | undefined {
  try {
    return usable(createRequire(join(root, "_.js"))("prettier"));
  } catch {
    return undefined;
  }
}

/** An optional peer: the copy beside this package, where there is one. */
async function ownPrettier(): Promise<Prettier | undefined> {
  try {
    return usable(await import("prettier"));
  } catch {
    return undefined;
  }
}

/** The module, where it has what is needed of it. */
function usable(module: unknown): Prettier | undefined {
  const { format, resolveConfig } = module as Partial<Prettier>;
  // The rest of it is not used.
  return typeof format === "function" && typeof resolveConfig === "function" ? (module as Prettier) : undefined;
}

function formatBy(prettier: Prettier, root: string, { eol }: Style, out: Output): Format {
  let isReported = false;
  const usualOptions = { endOfLine: eol === "\r\n" ? "crlf" : "lf" } as const;
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
      return await prettier.format(text, { ...usualOptions, ...settings, filepath });
    } catch (error) {
      // A plugin that is not installed, or an option that this version does not know: the text itself is ours.
      if (!isReported) out.warn(`prettier's configuration does not work (${firstLine(error)}): files get its usual format`);
      isReported = true;
      return prettier.format(text, { ...usualOptions, filepath });
    }
  };
}

function firstLine(error: unknown): string {
  return messageOf(error).split("\n")[0] ?? "";
}
