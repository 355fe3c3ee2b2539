// Dropped and chosen files to sprites. Nothing leaves the page.
import { newArt } from "./art.js";
import { isAseprite, readAseprite } from "./aseprite.js";
import { isLevel, readLevel } from "./level.js";
import { cutGrid, cutPart, isFull, readSheet } from "./sheet.js";

/** What this page takes. The command line takes more. */
export const LIMITS = { side: 1024, sheetSide: 8192, megabytes: 32, frames: 256, megapixels: 16, sprites: 64 };

const beyond = (found, limit) => new Error(`has ${found}, and this page takes ${limit}; \`hitmask bake\` takes more`);

function checkSize(width, height, frames) {
  const { side, frames: most, megapixels } = LIMITS;
  if (width < 1 || height < 1 || frames < 1) throw new Error(`has no pixels: ${width} x ${height} px, ${frames} frames`);
  if (Math.max(width, height) > side) throw beyond(`${width} x ${height} px`, `up to ${side} px a side`);
  if (frames > most) throw beyond(`${frames} frames`, `up to ${most}`);
  if (width * height * frames > megapixels * 2 ** 20) {
    throw beyond(`${frames} frames of ${width} x ${height} px`, `up to ${megapixels} megapixels in all`);
  }
}

/**
 * Reads files, and returns the sprites of those that it could read, and a message for each other one.
 *
 * @param {File[]} files
 * @returns {Promise<{ arts: ReturnType<typeof newArt>[], faults: string[] }>}
 */
export async function readFiles(files) {
  const arts = [];
  const faults = [];
  const attempt = async (file, read) => {
    try {
      if (file.size > LIMITS.megabytes * 2 ** 20) throw beyond(`${Math.ceil(file.size / 2 ** 20)} MB`, `up to ${LIMITS.megabytes} MB`);
      if (file.size === 0) throw new Error("is empty");
      const found = await read(file);
      const rest = Math.max(0, LIMITS.sprites - arts.length);
      arts.push(...found.slice(0, rest));
      if (found.length > rest) throw beyond(`${found.length} sprites`, `up to ${LIMITS.sprites} at a time; the first ${rest} are here`);
    } catch (error) {
      faults.push(`${file.name} ${error.message}`);
    }
  };
  const isSheet = ({ name, type }) => type === "application/json" || /\.json$/i.test(name);
  const used = new Set();
  for (const file of files.filter(isSheet)) await attempt(file, () => sheetArts(file, files, used));
  for (const file of files.filter(isLevel)) await attempt(file, () => levelArts(file, files, used));
  const isOther = (file) => isSheet(file) || isLevel(file) || used.has(file) || /\.ts[xj]$/i.test(file.name);
  for (const file of files) if (!isOther(file)) await attempt(file, imageArts);
  return { arts, faults };
}

/** Returns the name of a sprite for that of a file or a frame: without the extension and control characters. */
const nameOf = (file) =>
  file.normalize().replace(/\.(png|gif|webp|svg|ase|aseprite|json|tmx|tmj|ldtk|jpe?g|bmp|avif)$/i, "").replace(/[\p{C}\\]/gu, "_").slice(0, 60) || "sprite";

const yours = (name, frames, note = "") => ({ ...newArt(nameOf(name), frames), isYours: true, note });

async function sheetArts(file, files, used) {
  const { image, isOneSprite, parts } = readSheet(await file.text());
  const pictures = files.filter((other) => other !== file && !/\.json$/i.test(other.name));
  const source = pictures.find(({ name }) => name === image) ?? pictures.find(({ name }) => nameOf(name) === nameOf(file.name));
  if (!source) throw new Error(`has no picture: drop ${image ? `"${image}"` : "it"} together with the JSON`);
  used.add(source);
  const picture = await bitmapOf(source).catch((error) => {
    throw new Error(`has no picture: ${source.name} ${error.message}`, { cause: error });
  });
  const { sheetSide } = LIMITS;
  if (Math.max(picture.width, picture.height) > sheetSide) {
    throw beyond(`a picture of ${picture.width} x ${picture.height} px`, `up to ${sheetSide} px a side`);
  }
  const isOneSize = parts.every(({ width, height }) => width === parts[0].width && height === parts[0].height);
  const groups = isOneSprite && isOneSize ? [[file.name, parts]] : parts.map((part) => [part.name, [part]]);
  return groups.slice(0, LIMITS.sprites + 1).map(([name, of]) => {
    checkSize(of[0].width, of[0].height, of.length);
    return yours(name, of.map((part) => cutPart(picture, part)));
  });
}

/** Returns a level as one sprite: the pixels of its tiles. */
async function levelArts(file, files, used) {
  const missing = (names) => {
    throw new Error(`needs ${names.map((name) => `"${name}"`).join(", ")}: drop all files of the level together`);
  };
  const named = (name) => files.find((other) => other.name === name);
  const { draws, width, height, note } = await readLevel(file.name, await file.text(), (name) => (named(name) ?? missing([name])).text());
  const names = [...new Set(draws.map(({ image }) => image).filter(Boolean))];
  const absent = names.filter((name) => !named(name));
  if (absent.length) missing(absent);
  const images = new Map(await Promise.all(names.map(async (name) => [name, await bitmapOf(named(name))])));
  names.forEach((name) => used.add(named(name)));
  const size = [width, height].map((side) => Math.min(Math.ceil(side), LIMITS.side));
  checkSize(...size, 1);
  const context = new OffscreenCanvas(...size).getContext("2d", { willReadFrequently: true });
  context.imageSmoothingEnabled = false;
  for (const { image, from, at: [x, y, w, h], flips, angle } of draws) {
    context.fillStyle = "#8a8f98";
    if (!image) context.fillRect(x, y, w, h);
    if (!image) continue;
    // About the lower left corner, by which Tiled turns objects; then about the middle.
    context.setTransform(1, 0, 0, 1, x, y + h);
    context.rotate((angle * Math.PI) / 180);
    context.translate(w / 2, -h / 2);
    context.scale(flips & 4 ? -1 : 1, flips & 2 ? -1 : 1);
    if (flips & 1) context.transform(0, 1, 1, 0, 0, 0);
    context.drawImage(images.get(image), ...from, -w / 2, -h / 2, w, h);
    context.resetTransform();
  }
  const part = Math.max(width, height) > LIMITS.side ? `its first ${LIMITS.side} px; \`hitmask report --art\` draws all of it` : "";
  return [yours(file.name, [context.getImageData(0, 0, ...size)], [note, part].filter(Boolean).join("; "))];
}

async function imageArts(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (isAseprite(bytes) || /\.ase(prite)?$/i.test(file.name)) return [yours(file.name, await readAseprite(bytes, checkSize))];
  const [type, isAnimated] = typeOf(bytes);
  if (type && globalThis.ImageDecoder && (await ImageDecoder.isTypeSupported(type))) {
    const frames = await animation(bytes, type);
    return [frames.length > 1 ? yours(file.name, frames) : picture(file.name, frames[0])];
  }
  const note = isAnimated ? "first frame only: this browser does not decode the others" : "";
  return [picture(file.name, pixelsOf(await bitmapOf(file)), note)];
}

/** Returns a sprite of one picture, which can be cut into cells. A large one with clear pixels is a sheet, so it is cut. */
function picture(name, sheet, note) {
  const { width, height } = sheet;
  const art = { ...yours(name, [sheet], note), sheet };
  if (Math.max(width, height) > LIMITS.side && !isFull(sheet, 1)) {
    let cell = 32;
    while (Math.floor(width / cell) * Math.floor(height / cell) > LIMITS.frames) cell *= 2;
    art.frames = cutGrid(sheet, Math.min(cell, width), Math.min(cell, height));
  }
  checkSize(art.frames[0].width, art.frames[0].height, art.frames.length);
  return art;
}

/**
 * Cuts the picture of a sprite into cells: into its frames, or into sprites of their own, which are returned. Throws if
 * these are more than the page takes, or none.
 */
export function cut(art, width, height, isSprites) {
  const cells = cutGrid(art.sheet, width, height);
  checkSize(width, height, cells.length);
  if (!isSprites) art.frames = cells;
  else if (cells.length > LIMITS.sprites) throw beyond(`${cells.length} cells`, `up to ${LIMITS.sprites} sprites at a time`);
  return isSprites ? cells.map((cell, i) => ({ ...yours(`${art.name}-${i + 1}`, [cell]), alpha: art.alpha })) : [];
}

/** Returns the type of a file that can have several frames, and whether it is said to have some, by its first bytes. */
function typeOf(bytes) {
  const text = String.fromCharCode(...bytes.subarray(0, 64));
  if (text.startsWith("GIF8")) return ["image/gif", true];
  if (/^RIFF.{4}WEBP/s.test(text)) return ["image/webp", text.includes("ANIM")];
  return text.startsWith("\x89PNG") ? ["image/png", text.includes("acTL")] : [];
}

async function animation(data, type) {
  const decoder = new ImageDecoder({ data, type });
  try {
    await decoder.tracks.ready;
    await decoder.completed;
    const count = decoder.tracks.selectedTrack.frameCount;
    const frames = [];
    for (let frameIndex = 0; frameIndex < count; frameIndex++) {
      const { image } = await decoder.decode({ frameIndex });
      if (frameIndex === 0 && count > 1) checkSize(image.displayWidth, image.displayHeight, count);
      frames.push(pixelsOf(image, image.displayWidth, image.displayHeight));
      image.close();
    }
    return frames;
  } catch (error) {
    throw error.message.startsWith("has ") ? error : noImage(error);
  } finally {
    decoder.close();
  }
}

const noImage = (cause) =>
  new Error("is no image that this browser can read; give PNG, GIF, WebP, SVG, Aseprite, or a sheet with its JSON", { cause });

async function bitmapOf(file) {
  try {
    return file.type === "image/svg+xml" || /\.svg$/i.test(file.name) ? await svgOf(file) : await createImageBitmap(file);
  } catch (error) {
    throw noImage(error);
  }
}

/** Returns an SVG as an element, which alone browsers draw. One that is too large is drawn smaller. */
async function svgOf(file) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([file], { type: "image/svg+xml" }));
  try {
    await image.decode();
  } finally {
    URL.revokeObjectURL(image.src);
  }
  const { naturalWidth: width, naturalHeight: height } = image;
  const scale = Math.min(1, LIMITS.side / Math.max(width, height));
  [image.width, image.height] = [width, height].map((side) => Math.max(1, Math.round(side * scale)));
  return image;
}

function pixelsOf(source, width = source.width, height = source.height) {
  // A larger picture can be a sheet of sprites.
  if (width * height > LIMITS.megapixels * 2 ** 20) checkSize(width, height, 1);
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  context.drawImage(source, 0, 0, width, height);
  return context.getImageData(0, 0, width, height);
}
