import { isNativeError } from "node:util/types";
import { inflateRawSync } from "node:zlib";

/** Returns the content of a file in a ZIP archive. Undefined if it has no file of the name, is damaged, or is not an archive. */
export function fileIn(archive: Buffer, name: string): Buffer | undefined {
  try {
    return unpacked(archive, name);
  } catch (error) {
    // Offsets that lead beyond its end, or content that cannot be decompressed.
    if (isNativeError(error) && "code" in error) return undefined;
    throw error;
  }
}

function unpacked(archive: Buffer, name: string): Buffer | undefined {
  const end = archive.lastIndexOf("PK\u0005\u0006");
  if (end < 0) return undefined;
  // Offsets in the format's directory at the end of an archive, which has the sizes also where an entry has not.
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const nameEnd = at + 46 + nameLength;
    if (archive.toString("utf8", at + 46, nameEnd) === name) {
      const entry = archive.readUInt32LE(at + 42);
      const from = entry + 30 + archive.readUInt16LE(entry + 26) + archive.readUInt16LE(entry + 28);
      const packed = archive.subarray(from, from + archive.readUInt32LE(at + 20));
      const method = archive.readUInt16LE(at + 10);
      return method === 0 ? packed : method === 8 ? inflateRawSync(packed, { maxOutputLength: maxSize }) : undefined;
    }
    at = nameEnd + extra + comment;
  }
  return undefined;
}

/** An approval of thousands of records takes a few MB. */
const maxSize = 256 * 1024 * 1024;
