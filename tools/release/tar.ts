import { gzipSync } from "node:zlib";

/** A file of an archive. */
export interface TarFile {
  readonly name: string;
  readonly content: Buffer;
  readonly executable?: boolean;
}

const blockBytes = 512;

/** Packs files as `.tar.gz`. The same files give the same bytes on every machine: no owner, no time. */
export function tarball(files: readonly TarFile[]): Buffer {
  const blocks = files.flatMap((file) => [headerOf(file), file.content, padding(file.content.length)]);
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]), { level: 9 });
}

function padding(bytes: number): Buffer {
  return Buffer.alloc((blockBytes - (bytes % blockBytes)) % blockBytes);
}

/** The header of the ustar format: fields of fixed places, numbers in octal. */
function headerOf({ name, content, executable = false }: TarFile): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long for a name in an archive.`);
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, "0")}\0`;
  header.write(name, 0);
  header.write(octal(executable ? 0o755 : 0o644, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(content.length, 11), 124);
  header.write(octal(0, 11), 136);
  header.write(" ".repeat(8), 148);
  header.write("0", 156);
  header.write("ustar\u000000", 257);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}
