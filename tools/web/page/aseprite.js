// Reads the frames of an Aseprite file: RGBA, grayscale and indexed images, and the visible layers of each frame.
// The format: https://github.com/aseprite/aseprite/blob/main/docs/ase-file-specs.md

const [LAYER, CEL, PALETTE, OLD_PALETTE, OLDER_PALETTE] = [0x2004, 0x2005, 0x2019, 0x0004, 0x0011];
const [VISIBLE, BACKGROUND, REFERENCE] = [1, 8, 64];
const GROUP = 1;
const [RAW, LINKED, COMPRESSED] = [0, 1, 2];

/** Whether bytes begin as an Aseprite file. */
export const isAseprite = (bytes) => bytes.length > 5 && bytes[4] === 0xe0 && bytes[5] === 0xa5;

/**
 * Returns the frames of a file as images.
 *
 * @param {Uint8Array} bytes
 * @param {(width: number, height: number, frames: number) => void} check Throws for what is too large.
 * @returns {Promise<ImageData[]>}
 */
export async function readAseprite(bytes, check) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return await read(bytes, view, check);
  } catch (error) {
    if (error instanceof RangeError) throw new Error("is a damaged Aseprite file: it ends too early", { cause: error });
    throw error;
  }
}

async function read(bytes, view, check) {
  if (!isAseprite(bytes)) throw new Error("is no Aseprite file: its first bytes are others");
  const u16 = (at) => view.getUint16(at, true);
  const u32 = (at) => view.getUint32(at, true);
  const [count, width, height, depth] = [6, 8, 10, 12].map(u16);
  if (![8, 16, 32].includes(depth)) throw new Error(`is a damaged Aseprite file: it has ${depth} bits a pixel`);
  check(width, height, count);
  const hasOpacity = (u32(14) & 1) === 1;
  const file = { check, width, height, depth, clear: bytes[28], palette: new Uint32Array(256), layers: [], cels: [] };
  let at = 128;
  for (let frame = 0; frame < count; frame++) {
    const end = at + u32(at);
    if (u16(at + 4) !== 0xf1fa || end > bytes.length) throw new Error(`is a damaged Aseprite file: frame ${frame} is cut off`);
    const chunks = u32(at + 12) || u16(at + 6);
    file.cels.push([]);
    at += 16;
    for (let i = 0; i < chunks; i++) {
      const size = u32(at);
      if (size < 6 || at + size > end) throw new Error(`is a damaged Aseprite file: a part of frame ${frame} is cut off`);
      await readChunk(file, frame, u16(at + 4), bytes.subarray(at + 6, at + size), hasOpacity);
      at += size;
    }
    at = end;
  }
  return file.cels.map((_, frame) => compose(file, frame));
}

async function readChunk(file, frame, type, bytes, hasOpacity) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const u16 = (at) => view.getUint16(at, true);
  if (type === LAYER) {
    const [flags, kind, level] = [0, 2, 4].map(u16);
    // A layer in a hidden group is hidden.
    const group = file.layers.findLast((other) => other.level < level);
    const isShown = (flags & VISIBLE) !== 0 && (level === 0 || group === undefined || group.isShown);
    const isDrawn = isShown && kind !== GROUP && (flags & REFERENCE) === 0;
    const opacity = hasOpacity ? bytes[12] / 255 : 1;
    file.layers.push({ level, isShown, isDrawn, opacity, isBackground: (flags & BACKGROUND) !== 0 });
  } else if (type === CEL) {
    const cel = { layer: u16(0), x: view.getInt16(2, true), y: view.getInt16(4, true), opacity: bytes[6] / 255, z: view.getInt16(9, true) };
    const kind = u16(7);
    if (!file.layers[cel.layer]?.isDrawn) return;
    if (kind === LINKED) {
      const source = file.cels[u16(16)]?.find(({ layer }) => layer === cel.layer);
      if (source) file.cels[frame].push({ ...source, opacity: cel.opacity, z: cel.z });
      return;
    }
    if (kind !== RAW && kind !== COMPRESSED) {
      throw new Error("has a tilemap, which this page does not read: convert the layer to pixels, or use `hitmask bake`");
    }
    [cel.width, cel.height] = [u16(16), u16(18)];
    file.check(cel.width, cel.height, 1);
    const length = (cel.width * cel.height * file.depth) / 8;
    cel.pixels = kind === RAW ? bytes.subarray(20, 20 + length) : await inflate(bytes.subarray(20), length);
    if (cel.pixels.length < length) throw new Error(`is a damaged Aseprite file: pixels of frame ${frame} are missing`);
    file.cels[frame].push(cel);
  } else if (type === PALETTE) {
    const [first, last] = [view.getUint32(4, true), view.getUint32(8, true)];
    for (let color = first, at = 20; color <= last; color++) {
      if (color < 256) file.palette[color] = view.getUint32(at + 2, true);
      at += 6 + (u16(at) & 1 ? 2 + u16(at + 6) : 0);
    }
    file.hasPalette = true;
  } else if ((type === OLD_PALETTE || type === OLDER_PALETTE) && !file.hasPalette) {
    const scale = type === OLD_PALETTE ? 1 : 255 / 63;
    for (let packet = 0, at = 2, color = 0; packet < u16(0); packet++) {
      color += bytes[at++];
      for (let left = bytes[at++] || 256; left > 0; left--, at += 3) {
        const [red, green, blue] = bytes.subarray(at, at + 3).map((value) => value * scale);
        file.palette[color++ & 255] = (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
      }
    }
  }
}

/** Returns the pixels of a cel. Reads no more than they take. */
async function inflate(bytes, length) {
  const pixels = new Uint8Array(length);
  let at = 0;
  try {
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
    for (let part; at < length && !(part = await reader.read()).done; at += part.value.length) {
      pixels.set(part.value.subarray(0, length - at), at);
    }
    reader.cancel().catch(() => {});
  } catch (error) {
    throw new Error(`is a damaged Aseprite file: its pixels cannot be unpacked (${error.message})`, { cause: error });
  }
  return pixels.subarray(0, Math.min(at, length));
}

/** Draws the cels of a frame over each other. */
function compose(file, frame) {
  const image = new ImageData(file.width, file.height);
  const order = ({ layer, z }) => layer + z;
  for (const cel of file.cels[frame].toSorted((a, b) => order(a) - order(b) || a.z - b.z)) {
    const layer = file.layers[cel.layer];
    const color = colorsOf(file, cel.pixels, layer.isBackground);
    for (let y = Math.max(0, -cel.y); y < Math.min(cel.height, file.height - cel.y); y++) {
      for (let x = Math.max(0, -cel.x); x < Math.min(cel.width, file.width - cel.x); x++) {
        blend(image.data, 4 * ((y + cel.y) * file.width + x + cel.x), color(y * cel.width + x), layer.opacity * cel.opacity);
      }
    }
  }
  return image;
}

/** Returns a function that gives red, green, blue and alpha of a pixel. */
function colorsOf({ depth, palette, clear }, pixels, isBackground) {
  if (depth === 32) return (at) => pixels.subarray(4 * at, 4 * at + 4);
  if (depth === 16) return (at) => [pixels[2 * at], pixels[2 * at], pixels[2 * at], pixels[2 * at + 1]];
  const colors = new Uint8Array(palette.buffer);
  return (at) => (pixels[at] === clear && !isBackground ? [0, 0, 0, 0] : colors.subarray(4 * pixels[at], 4 * pixels[at] + 4));
}

/** Puts a color over the one at a place. Other blend modes than "normal" have the same alpha. */
function blend(data, at, [red, green, blue, alpha], opacity) {
  const over = Math.round(alpha * opacity);
  const under = data[at + 3];
  const sum = over + under - Math.round((over * under) / 255);
  if (sum === 0) return;
  [red, green, blue].forEach((value, i) => (data[at + i] += Math.round(((value - data[at + i]) * over) / sum)));
  data[at + 3] = sum;
}
