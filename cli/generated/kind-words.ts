/** All words for resource types, as the command help lists them. `npm run generate` writes this file from provider/registry.ts. */
export const kindWords: readonly string[] = [
  "labels",
  "tags",
  "tests",
  "agent-to-server-tests",
  "http-server-tests",
  "dynamic-tests",
  "agents",
];

/** Resource types that the import command skips unless an option with the same word requests them. */
export const wordsOnRequest: readonly string[] = ["agents"];
