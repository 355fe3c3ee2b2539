// What a page shows, as pixels.

/** Returns width, height, and the RGBA bytes of a picture of a page. Keeps the picture as a file for people. */
export async function pixels(page, path) {
  const png = await page.screenshot({ path });
  const { width, height, rgba } = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    let text = "";
    for (let i = 0; i < data.length; i += 8192) text += String.fromCharCode(...data.subarray(i, i + 8192));
    return { width, height, rgba: btoa(text) };
  }, png.toString("base64"));
  return { width, height, data: Buffer.from(rgba, "base64") };
}

/** Returns the positions [x, y] of all pixels of a color. */
export function positions({ width, data }, [red, green, blue]) {
  const found = [];
  for (let i = 0; i < data.length; i += 4) {
    if (data[i] === red && data[i + 1] === green && data[i + 2] === blue) {
      found.push([(i / 4) % width, Math.floor(i / 4 / width)]);
    }
  }
  return found;
}

/** Returns the positions [x, y] of the pixels in which two pictures differ. */
export function differences(before, after) {
  const found = [];
  for (let i = 0; i < before.data.length; i += 4) {
    if (before.data.readUInt32LE(i) !== after.data.readUInt32LE(i)) {
      found.push([(i / 4) % before.width, Math.floor(i / 4 / before.width)]);
    }
  }
  return found;
}
