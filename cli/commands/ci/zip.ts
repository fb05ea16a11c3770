import { isNativeError } from "node:util/types";
import { inflateRawSync } from "node:zlib";

/** Returns the content of a file in a ZIP archive. Returns undefined if the file is missing, or if the archive is invalid. */
export function fileIn(archive: Buffer, name: string): Buffer | undefined {
  try {
    return unpacked(archive, name);
  } catch (error) {
    // If the archive has invalid offsets or cannot be decompressed, Node throws an error with a code.
    if (isNativeError(error) && "code" in error) return undefined;
    throw error;
  }
}

function unpacked(archive: Buffer, name: string): Buffer | undefined {
  const end = archive.lastIndexOf("PK\u0005\u0006");
  if (end < 0) return undefined;
  // The directory at the end of a ZIP archive always contains the sizes of the files. The headers in front of the files may omit the sizes.
  let at = archive.readUInt32LE(end + 16);
  for (let remaining = archive.readUInt16LE(end + 10); remaining > 0; remaining -= 1) {
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

/** Maximum size of a file, in bytes. An approval with thousands of records needs only a few megabytes. */
const maxSize = 256 * 1024 * 1024;
