// Cuts the pictures of a sheet: by a grid, or by its JSON as TexturePacker and Aseprite write it, a hash or an array of
// frames.

/**
 * Returns the name of the picture of a sheet and its parts, or throws.
 *
 * @param {string} text
 */
export function readSheet(text) {
  let json;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Error(`is no JSON: ${error.message}`, { cause: error });
  }
  const { frames, meta } = json ?? {};
  if (frames === null || typeof frames !== "object") {
    throw new Error('is no sheet: it has no "frames", as TexturePacker (hash or array) and Aseprite write them');
  }
  const parts = Object.entries(frames).map(([key, part]) => readPart(part?.filename ?? part?.name ?? key, part));
  if (parts.length === 0) throw new Error("is a sheet without frames");
  // Aseprite exports the frames of one sprite, and others the images of many.
  return { image: meta?.image?.split(/[\\/]/).pop(), isOneSprite: /aseprite/i.test(meta?.app ?? ""), parts };
}

function readPart(name, { frame, rotated, spriteSourceSize: inner, sourceSize: outer } = {}) {
  const isSize = (box) => [box?.w, box?.h].every((side) => Number.isInteger(side) && side > 0);
  const isPlace = (box) => [box?.x, box?.y].every((value) => Number.isInteger(value) && value >= 0);
  if (!isSize(frame) || !isPlace(frame) || (outer && !isSize(outer))) {
    throw new Error(`is a sheet whose frame "${name}" has no whole x, y, w and h`);
  }
  const { w: width, h: height } = outer ?? frame;
  return { name, frame, isTurned: rotated === true, width, height, x: inner?.x ?? 0, y: inner?.y ?? 0 };
}

/**
 * Returns a part of a picture as an image, with the clear pixels that were trimmed.
 *
 * @param {ImageBitmap} picture
 * @param {ReturnType<typeof readPart>} part
 */
export function cutPart(picture, { name, frame, isTurned, width, height, x, y }) {
  const { w, h } = frame;
  // A turned part lies in the picture a quarter clockwise.
  const [wide, high] = isTurned ? [h, w] : [w, h];
  if (frame.x + wide > picture.width || frame.y + high > picture.height) {
    throw new Error(`places "${name}" outside of its picture of ${picture.width} x ${picture.height} px`);
  }
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  context.imageSmoothingEnabled = false;
  context.translate(x, y);
  if (isTurned) context.transform(0, -1, 1, 0, 0, h);
  context.drawImage(picture, frame.x, frame.y, wide, high, 0, 0, wide, high);
  return context.getImageData(0, 0, width, height);
}

/**
 * Returns the cells of a grid, row by row, without those that show nothing. Pixels beyond the last whole cell are left out.
 *
 * @param {ImageData} sheet
 * @param {number} width Of a cell.
 * @param {number} height
 */
export function cutGrid(sheet, width, height) {
  const cells = [];
  for (let y = 0; y + height <= sheet.height; y += height) {
    for (let x = 0; x + width <= sheet.width; x += width) {
      const cell = new ImageData(width, height);
      for (let row = 0; row < height; row++) {
        const from = 4 * ((y + row) * sheet.width + x);
        cell.data.set(sheet.data.subarray(from, from + 4 * width), 4 * row * width);
      }
      if (cell.data.some((value, i) => i % 4 === 3 && value > 0)) cells.push(cell);
    }
  }
  return cells;
}

/** Tests whether all pixels of an image have at least that alpha, so that its mask is a full rectangle. */
export function isFull({ data }, alpha) {
  for (let i = 3; i < data.length; i += 4) if (data[i] < alpha) return false;
  return true;
}

/** The difference of a color from that of the corner, of 255, up to which it is taken for the background. */
const BACKGROUND = 24;

/** Returns an image without its background: the pixels of about the color of its top left corner are clear. */
export function withoutBackground({ width, height, data }) {
  const image = new ImageData(Uint8ClampedArray.from(data), width, height);
  for (let i = 0; i < data.length; i += 4) {
    if ([0, 1, 2].every((part) => Math.abs(data[i + part] - data[part]) <= BACKGROUND)) image.data[i + 3] = 0;
  }
  return image;
}
