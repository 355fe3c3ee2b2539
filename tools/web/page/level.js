// Levels of Tiled and LDtk to what is drawn of them: their tiles, and their objects that have tiles.

export const isLevel = ({ name }) => /\.(tmx|tmj|ldtk)$/i.test(name);

/** Returns the last part of a path, as files are named that are dropped. */
const base = (path) => path.split(/[\\/]/).pop();

/**
 * Reads a level. `other` gives the text of a file that it names.
 *
 * @returns {Promise<{ width: number, height: number, note: string, draws: Draw[] }>} Sizes in pixels. A draw is a part of
 *     an image, `from: [x, y, width, height]`, or a plain rectangle without `image`. It goes to `at`, likewise, turned by
 *     `angle` degrees about the lower left corner, and `flips`: 4 for x, 2 for y, 1 for both axes exchanged.
 */
export async function readLevel(name, text, other) {
  if (/\.ldtk$/i.test(name)) return ldtk(json(text));
  return tiled(/\.tmj$/i.test(name) ? json(text) : ofXml(text, "map"), other);
}

function json(text) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`is no JSON: ${cause.message}`, { cause });
  }
}

/** Returns an element of a file of Tiled as its JSON has it. */
function ofXml(text, tag) {
  const root = new DOMParser().parseFromString(text, "text/xml").documentElement;
  if (root.tagName !== tag) throw new Error(`is no ${tag} of Tiled`);
  const children = (element, ...tags) => [...element.children].filter((child) => tags.includes(child.tagName));
  const values = (element) =>
    Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value !== "" && !isNaN(value) ? Number(value) : value]));
  const tileset = (element) => ({ ...values(element), image: children(element, "image")[0]?.getAttribute("source") });
  const pieces = (data) => (data.getAttribute("encoding") ? data.textContent : children(data, "tile").map((tile) => Number(tile.getAttribute("gid"))));
  const layer = (element) => {
    const [data] = children(element, "data");
    return {
      ...values(element), type: { layer: "tilelayer" }[element.tagName] ?? element.tagName, visible: element.getAttribute("visible") !== "0",
      ...(data && { encoding: data.getAttribute("encoding"), compression: data.getAttribute("compression"), data: pieces(data) }),
      chunks: data && children(data, "chunk").map((chunk) => ({ ...values(chunk), data: pieces(chunk) })),
      objects: children(element, "object").map(values), layers: layers(element),
    };
  };
  const layers = (element) => children(element, "layer", "objectgroup", "group").map(layer);
  return tag === "tileset" ? tileset(root) : { ...values(root), tilesets: children(root, "tileset").map(tileset), layers: layers(root) };
}

/** Returns the numbers of the tiles of a layer. */
async function numbers(data, { encoding, compression }) {
  if (Array.isArray(data)) return data;
  if (encoding === "csv") return data.split(",").map(Number);
  if (compression === "zstd") throw new Error("is compressed by zstd, and browsers read zlib and gzip: choose one of these in Tiled");
  let bytes = Uint8Array.from(atob(data.trim()), (letter) => letter.charCodeAt(0));
  if (compression) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(compression === "gzip" ? "gzip" : "deflate"));
    bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  }
  return new Uint32Array(bytes.buffer);
}

async function tiled(map, other) {
  if (map.orientation !== "orthogonal") throw new Error(`is ${map.orientation}, and this page takes orthogonal levels; \`hitmask bake\` takes more`);
  const tilesets = await Promise.all(map.tilesets.map(async (set) => {
    if (!set.source) return set;
    const text = await other(base(set.source));
    return { ...(/\.tsx$/i.test(set.source) ? ofXml(text, "tileset") : json(text)), firstgid: set.firstgid };
  }));
  const draws = [];
  const put = (gid, x, bottom, size, angle = 0) => {
    const [flips, id] = [gid >>> 29, gid & 0x1fffffff];
    const set = tilesets.findLast(({ firstgid }) => firstgid <= id);
    if (id === 0 || !set) return;
    if (!set.image) throw new Error("has a tileset of single images, and this page takes one image; `hitmask bake` takes more");
    const { tilewidth: width, tileheight: height, margin = 0, spacing = 0, columns } = set;
    const index = id - set.firstgid;
    const from = [margin + (index % columns) * (width + spacing), margin + Math.floor(index / columns) * (height + spacing), width, height];
    const [w, h] = size ?? [width, height];
    draws.push({ image: base(set.image), from, at: [x, bottom - h, w, h], flips, angle });
  };
  const visit = async (layers) => {
    for (const layer of layers) {
      if (layer.visible === false) continue;
      const [left, top] = [layer.offsetx ?? 0, layer.offsety ?? 0];
      const chunks = layer.chunks?.length ? layer.chunks : layer.data ? [{ x: 0, y: 0, width: layer.width, data: layer.data }] : [];
      for (const { x, y, width, data } of chunks) {
        (await numbers(data, layer)).forEach((gid, i) =>
          put(gid, left + (x + (i % width)) * map.tilewidth, top + (y + Math.floor(i / width) + 1) * map.tileheight));
      }
      for (const { gid, x, y, width, height, rotation } of layer.objects ?? []) if (gid) put(gid, left + x, top + y, [width, height], rotation);
      await visit(layer.layers ?? []);
    }
  };
  await visit(map.layers);
  // An endless level begins at its first tile.
  const [x0, y0] = map.infinite ? [0, 1].map((axis) => Math.min(...draws.map(({ at }) => at[axis]))) : [0, 0];
  for (const { at } of draws) [at[0], at[1]] = [at[0] - x0, at[1] - y0];
  const side = (axis, tiles, tile) => (map.infinite ? Math.max(0, ...draws.map(({ at }) => at[axis] + at[axis + 2])) : tiles * tile);
  return { width: side(0, map.width, map.tilewidth), height: side(1, map.height, map.tileheight), note: "", draws };
}

function ldtk({ defs, levels }) {
  const level = levels?.find(({ layerInstances }) => layerInstances);
  if (!level) throw new Error("has no level with layers: LDtk has stored levels in files of their own, and this page takes one file");
  const draws = [];
  for (const layer of level.layerInstances.toReversed()) {
    if (layer.visible === false) continue;
    const { __gridSize: side, __tilesetRelPath: image } = layer;
    const [left, top] = [layer.__pxTotalOffsetX ?? 0, layer.__pxTotalOffsetY ?? 0];
    const tiles = [...(layer.autoLayerTiles ?? []), ...(layer.gridTiles ?? [])];
    for (const { px: [x, y], src, f } of tiles) {
      draws.push({ image: base(image), from: [...src, side, side], at: [left + x, top + y, side, side], flips: ((f & 1) << 2) | (f & 2), angle: 0 });
    }
    if (!tiles.length) {
      layer.intGridCsv?.forEach((value, i) => {
        if (value) draws.push({ at: [left + (i % layer.__cWid) * side, top + Math.floor(i / layer.__cWid) * side, side, side] });
      });
    }
    for (const { __tile: tile, px: [x, y], width, height, __pivot: [u, v] } of layer.entityInstances ?? []) {
      const set = tile && defs.tilesets.find(({ uid }) => uid === tile.tilesetUid);
      if (!set?.relPath) continue;
      draws.push({ image: base(set.relPath), from: [tile.x, tile.y, tile.w, tile.h], at: [left + x - u * width, top + y - v * height, width, height], flips: 0, angle: 0 });
    }
  }
  const note = levels.length > 1 ? `the first of ${levels.length} levels` : "";
  return { width: level.pxWid, height: level.pxHei, note, draws };
}
