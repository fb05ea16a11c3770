/** Every word that names kinds, as help lists them. Written by `npm run generate` from the registry; change the kinds there. */
export const kindWords: readonly string[] = [
  "labels",
  "tags",
  "tests",
  "agent-to-server-tests",
  "http-server-tests",
  "dynamic-tests",
  "agents",
];

/** Words of the kinds that the import command skips by default. Each word is one of its options. */
export const wordsOnRequest: readonly string[] = ["agents"];
