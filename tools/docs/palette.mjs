/** PNG with a palette: pictures of pages have few colors, and are a third as large that way. */
import { crc32, deflateSync } from "node:zlib";

/** Levels of each of red, green and blue that remain. */
const levels = 32;
const paletteSize = 256;

const coarse = (value) => Math.round((Math.round((value * (levels - 1)) / 255) * 255) / (levels - 1));

/** Keys of the commonest colors, and for any other color the nearest of them. */
function paletteOf(keys) {
  const counts = new Map();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  const palette = [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, paletteSize)
    .map(([key]) => key);
  const indexes = new Map(palette.map((key, index) => [key, index]));
  for (const key of counts.keys()) {
    if (indexes.has(key)) continue;
    const distances = palette.map((other) =>
      [16, 8, 0].reduce((sum, at) => sum + (((key >> at) & 255) - ((other >> at) & 255)) ** 2, 0),
    );
    indexes.set(key, distances.indexOf(Math.min(...distances)));
  }
  return { palette, indexes };
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** @param {{ width: number, height: number, pixels: Buffer }} picture red, green, blue and alpha of each pixel */
export function pngOf({ width, height, pixels }) {
  const keys = new Uint32Array(width * height);
  for (let at = 0; at < keys.length; at += 1) {
    const [red, green, blue] = [0, 1, 2].map((channel) => coarse(pixels[4 * at + channel]));
    keys[at] = (red << 16) | (green << 8) | blue;
  }
  const { palette, indexes } = paletteOf(keys);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) rows[y * (width + 1) + x + 1] = indexes.get(keys[y * width + x]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8);
  const colors = Buffer.from(palette.flatMap((key) => [key >> 16, (key >> 8) & 255, key & 255]));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("PLTE", colors),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
