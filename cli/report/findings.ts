import type { Block, Finding } from "./document";
import { phraseText } from "../../common/phrase";

export interface FoundItem extends Finding {
  readonly text: string;
}

export function findingsIn(blocks: readonly Block[]): FoundItem[] {
  return blocks.flatMap((block): FoundItem[] => {
    switch (block.kind) {
      case "list":
        return block.items.flatMap(({ finding, text }) => (finding ? [{ ...finding, text: phraseText(text) }] : []));
      case "table":
        return block.rows.flatMap(({ finding, cells, details = [] }) => {
          if (!finding) return [];
          const row = cells.map((cell) => phraseText(cell)).filter((cell) => cell !== "");
          return [{ ...finding, text: [row.join(", "), ...details.map((detail) => phraseText(detail))].join("\n") }];
        });
      case "entries":
        return block.entries.flatMap(({ finding, title, facts, changes, notes }) => {
          if (!finding) return [];
          const lines = changes.map(({ property, before = "", after = "", note = "" }) =>
            `${property}: ${[before, after].filter((side) => side !== "").join(" → ")} ${note}`.trim(),
          );
          return [
            {
              ...finding,
              text: [phraseText(title), ...lines, ...[...facts, ...notes].map((fact) => phraseText(fact))].join("\n"),
            },
          ];
        });
      case "folded":
        return findingsIn(block.blocks);
      default:
        return [];
    }
  });
}
