// Cuts the pictures of a sheet by its JSON, as TexturePacker and Aseprite write it: a hash or an array of frames.

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
