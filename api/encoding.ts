import { promisify } from "node:util";
import { isNativeError } from "node:util/types";
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from "node:zlib";

type Decoder = (body: Buffer, limits: ZlibOptions) => Promise<Buffer>;

const raw: Decoder = promisify(inflateRaw);
const wrapped: Decoder = promisify(inflate);
const gzip: Decoder = promisify(gunzip);
const decoders: Readonly<Record<string, Decoder>> = {
  gzip,
  "x-gzip": gzip,
  // Some servers omit the zlib header. The first byte of a zlib header ends in the hexadecimal digit 8.
  deflate: (body, limits) => (((body[0] ?? 0) & 0x0f) === 8 ? wrapped : raw)(body, limits),
  br: promisify(brotliDecompress),
};

/**
 * Content encodings that the client can decode. Without an Accept-Encoding header, a server may use any encoding (RFC 9110,
 * 12.5.3).
 */
export const acceptEncoding = "gzip, deflate, br";
/** Maximum number of content encodings that a response may combine. */
const maxEncodings = 2;

/** The result of decoding a body. If decoding fails, `text` is empty, and `damage` describes the failure. */
export interface Decoded {
  text: string;
  damage?: string;
}

/**
 * Decodes a body according to its Content-Encoding header.
 *
 * @param maxBytes maximum size of the decoded body, as a protection against decompression bombs
 */
export async function decode(body: Buffer, header: string | string[] | undefined, maxBytes: number): Promise<Decoded> {
  const names = [header ?? []]
    .flat()
    .join(",")
    .split(",")
    .map((name) => name.trim().toLowerCase());
  const encodings = names.filter((name) => name !== "" && name !== "identity").toReversed();
  const unknown = encodings.find((name) => !Object.hasOwn(decoders, name));
  if (unknown !== undefined)
    return damaged(`its content encoding is ${unknown}, but the request accepted only ${acceptEncoding}`);
  if (encodings.length > maxEncodings) return damaged(`it has ${encodings.length} content encodings`);
  let decoded = body;
  for (const name of encodings) {
    // A server may send a Content-Encoding header although the response has no body.
    if (decoded.length === 0) break;
    try {
      decoded = (await decoders[name]?.(decoded, { maxOutputLength: maxBytes })) ?? decoded;
    } catch (error) {
      const tooLarge = isNativeError(error) && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
      return damaged(
        tooLarge
          ? `it is larger than ${maxBytes / 1024 / 1024} MiB when decoded`
          : `its ${name} encoding is damaged, or was cut off`,
      );
    }
  }
  // Unlike Buffer.toString, TextDecoder removes a byte order mark.
  return { text: new TextDecoder().decode(decoded) };
}

function damaged(damage: string): Decoded {
  return { text: "", damage };
}
