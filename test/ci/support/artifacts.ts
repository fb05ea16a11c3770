import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";

/** A run of a pipeline. */
export interface Run {
  id: number;
  event: string;
  ref: string;
  sha: string;
  /** Last commit on its pull request's branch. */
  head: string;
  /** Whether it belongs to a fork. Undefined if the CI provider does not report it. */
  isFork?: boolean | undefined;
  /** File of its workflow. The default is the review's file. */
  path?: string;
}

/** Artifacts of a run. */
export interface Artifact {
  id: number;
  name: string;
  run: Run;
  expired: boolean;
  /** Creation time: one after the other, on the morning before any merge. */
  at: string;
  files: Record<string, string>;
}

/** Artifacts of a GitHub repository, and the actions that use them. */
export class Artifacts {
  readonly all: Artifact[] = [];
  #nextId = 1;

  add(run: Run, name: string, files: Record<string, string>): Artifact {
    const id = this.#nextId++;
    const artifact = { id, name, run, expired: false, at: new Date(Date.UTC(2026, 0, 1, 0, id)).toISOString(), files };
    this.all.push(artifact);
    return artifact;
  }

  /** @param folder the job's checkout */
  upload(run: Run, { name = "", path = "" }: Record<string, string>, folder: string): void {
    if (name === "" || /[":<>|*?\\/\r\n]/.test(name)) throw new Error(`The artifact name is not valid: ${name}`);
    if (this.all.some((artifact) => artifact.run.id === run.id && artifact.name === name))
      throw new Error(`${name} exists already in this run`);
    const from = join(folder, path);
    const files = readdirSync(from, { withFileTypes: true }).filter((entry) => entry.isFile());
    this.add(run, name, Object.fromEntries(files.map((file) => [file.name, readFileSync(join(from, file.name), "base64")])));
  }

  download(run: Run, { name = "", path = "" }: Record<string, string>, folder: string): void {
    const artifact = this.all.find((candidate) => candidate.run.id === run.id && candidate.name === name && !candidate.expired);
    if (!artifact) throw new Error(`Artifact not found for name: ${name}`);
    mkdirSync(join(folder, path), { recursive: true });
    for (const [file, content] of Object.entries(artifact.files)) writeFileSync(join(folder, path, file), content, "base64");
  }
}

/** An archive in GitHub's form: deflated, with sizes only in the directory at its end. */
export function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const [entries, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const [bytes, file] = [Buffer.from(content, "base64"), Buffer.from(name)];
    const packed = deflateRawSync(bytes);
    const sizes = [crc32(bytes), packed.length, bytes.length];
    // Bit 3: the sizes follow the data.
    const common = (...numbers: number[]) => words([20, 0x808, 8, 0, 0], numbers, [file.length]);
    const entry = Buffer.concat([words([0x4b50, 0x0403]), common(0, 0, 0), words([0]), file, packed]);
    const descriptor = Buffer.concat([words([0x4b50, 0x0807]), words([], sizes)]);
    entries.push(entry, descriptor);
    directory.push(Buffer.concat([words([0x4b50, 0x0201, 20]), common(...sizes), words([0, 0, 0, 0], [0, offset]), file]));
    offset += entry.length + descriptor.length;
  }
  const whole = Buffer.concat(directory);
  const count = directory.length;
  return Buffer.concat([...entries, whole, words([0x4b50, 0x0605, 0, 0, count, count], [whole.length, offset], [0])]);
}

/** Numbers of 16, 32 and 16 bits. */
function words(short: readonly number[], long: readonly number[] = [], last: readonly number[] = []): Buffer {
  const write = (numbers: readonly number[], size: number) =>
    numbers.map((number) => {
      const bytes = Buffer.alloc(size);
      bytes.writeUIntLE(number, 0, size);
      return bytes;
    });
  return Buffer.concat([...write(short, 2), ...write(long, 4), ...write(last, 2)]);
}
