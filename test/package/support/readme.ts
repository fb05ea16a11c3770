/** The commands of a README, and how a test runs them. */
/** The shell blocks of a text, each as its lines without comments. */
export function blocksIn(text: string): string[][] {
  const fences = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block);
  const lines = fences.map((block) => block.split("\n").map((line) => line.replace(/\s+#.*$/, "").trim()));
  return lines.map((block) => block.filter((line) => line !== ""));
}

/**
 * A command line as the test runs it, with the tarball as the package and a free port. For another package manager it is translated as
 * README.md shows.
 */
export function typedWith(
  line: string,
  { manager, tarball, port }: { manager: string; tarball: string; port: number },
): string {
  const ownCommand =
    manager === "pnpm"
      ? line
          .replace(/^npm install (pulumi-endpoint-monitoring)$/, "pnpm add $1 --allow-build=protobufjs")
          .replace(/^npm install$/, "pnpm install")
          .replace(/^npx /, "pnpm exec ")
      : line;
  return ownCommand
    .replace(/(?<=(?:install|add) )pulumi-endpoint-monitoring/, `$&@file:${tarball}`)
    .replace(/ init --emulator$/, `$& --port ${port}`)
    .replace(/\b8080\b/, String(port));
}
