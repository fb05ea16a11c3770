/** The commands of a README, and how a test types them. */
/** The shell blocks of a text, each as its lines without comments. */
export function blocksIn(text: string): string[][] {
  const fences = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block);
  const lines = fences.map((block) => block.split("\n").map((line) => line.replace(/\s+#.*$/, "").trim()));
  return lines.map((block) => block.filter((line) => line !== ""));
}

/**
 * A line as it is typed: the package is its tarball, and the port free. A README of npm's commands is typed for another package manager as
 * README.md of the package shows.
 */
export function typedWith(
  line: string,
  { manager, tarball, port }: { manager: string; tarball: string; port: number },
): string {
  const own =
    manager === "pnpm"
      ? line
          .replace(/^npm install (pulumi-endpoint-monitoring)$/, "pnpm add $1 --allow-build=protobufjs")
          .replace(/^npm install$/, "pnpm install")
          .replace(/^npx /, "pnpm exec ")
      : line;
  return own
    .replace(/(?<=(?:install|add) )pulumi-endpoint-monitoring/, `$&@file:${tarball}`)
    .replace(/ init --emulator$/, `$& --port ${port}`)
    .replace(/\b8080\b/, String(port));
}
