// hitmask beside libraries of boxes and polygons, and beside a loop over ImageData, in one run. The
// loop has a grid as its broad phase and images that were turned beforehand. Its pairs must be those
// of hitmask. The others answer another question: the table counts their wrong pairs.
import * as check2d from "check2d";
import * as detectCollisions from "detect-collisions";
import { load } from "../index.js";
import { ANGLES, SIDE, crowd, quartile, star } from "./scene.js";

const COUNT = Number(process.argv[2] ?? 2000);
const FRAMES = Number(process.argv[3] ?? 60);
const SQUARE = Math.round(3310 * Math.sqrt(COUNT / 20_000));

const hitmask = await load({ bake: true });
const atlas = hitmask.bake([{ name: "star", imageData: star, angles: ANGLES }]);

/** Returns the key of a pair of indices. */
const key = (a, b) => (a < b ? a * COUNT + b : b * COUNT + a);

function pixels(world) {
  const ids = Float64Array.from({ length: COUNT }, () => world.add({ sprite: "star" }));
  return (places) => {
    world.placeMany(ids, places);
    world.update();
    const pairs = world.touchingArray();
    const found = new Set();
    for (let i = 0; i < pairs.length; i += 2) found.add(key(pairs[i] >>> 0, pairs[i + 1] >>> 0));
    return found;
  };
}

/** Boxes or polygons of a library of the family of check2d. */
function shapes({ System }, isPolygon) {
  const system = new System();
  const half = SIDE / 2;
  const corner = (i) => ({ x: half * Math.cos((i * Math.PI) / 5), y: half * Math.sin((i * Math.PI) / 5) });
  // The convex hull of the star: its five points.
  const hull = [0, 2, 4, 6, 8].map(corner);
  const bodies = Array.from({ length: COUNT }, (_, index) => {
    const body = isPolygon
      ? system.createPolygon({ x: 0, y: 0 }, hull)
      : system.createBox({ x: 0, y: 0 }, SIDE, SIDE, { isCentered: true });
    body.index = index;
    return body;
  });
  return (places) => {
    for (let i = 0; i < COUNT; i++) {
      bodies[i].setAngle(places[3 * i + 2], false);
      bodies[i].setPosition(places[3 * i], places[3 * i + 1], true);
    }
    const found = new Set();
    system.checkAll(({ a, b }) => {
      found.add(key(a.index, b.index));
    });
    return found;
  };
}

/** A loop over the pixels of images that were turned beforehand. */
function loop(world) {
  const poses = Array.from({ length: ANGLES }, (_, k) => {
    const id = world.add({ sprite: "star", angle: (k * 2 * Math.PI) / ANGLES });
    const rects = world.rects(id);
    const [x0, y0] = [0, 1].map((axis) => Math.min(...rects.filter((_, i) => i % 4 === axis)));
    const [x1, y1] = [2, 3].map((axis) => Math.max(...rects.filter((_, i) => i % 4 === axis)));
    const [width, height] = [x1 - x0, y1 - y0];
    const data = new Uint8ClampedArray(4 * width * height);
    for (let i = 0; i < rects.length; i += 4) {
      for (let y = rects[i + 1]; y < rects[i + 3]; y++) {
        for (let x = rects[i]; x < rects[i + 2]; x++) data[4 * ((y - y0) * width + x - x0) + 3] = 255;
      }
    }
    return { x0, y0, width, height, data };
  });
  const cell = 2 * SIDE;
  return (places) => {
    const items = new Array(COUNT);
    const grid = new Map();
    for (let i = 0; i < COUNT; i++) {
      const k = ((Math.floor((places[3 * i + 2] * ANGLES) / (2 * Math.PI) + 0.5) % ANGLES) + ANGLES) % ANGLES;
      const pose = poses[k];
      const x = Math.floor(places[3 * i] + 0.5) + pose.x0;
      const y = Math.floor(places[3 * i + 1] + 0.5) + pose.y0;
      items[i] = { x, y, pose };
      for (let row = Math.floor(y / cell); row <= Math.floor((y + pose.height) / cell); row++) {
        for (let column = Math.floor(x / cell); column <= Math.floor((x + pose.width) / cell); column++) {
          const place = row * 65536 + column;
          const list = grid.get(place);
          if (list) list.push(i);
          else grid.set(place, [i]);
        }
      }
    }
    const found = new Set();
    for (const list of grid.values()) {
      for (let i = 0; i < list.length; i++) {
        for (let j = i + 1; j < list.length; j++) {
          const pair = key(list[i], list[j]);
          if (!found.has(pair) && overlap(items[list[i]], items[list[j]])) found.add(pair);
        }
      }
    }
    return found;
  };
}

function overlap(a, b) {
  const x0 = Math.max(a.x, b.x);
  const y0 = Math.max(a.y, b.y);
  const x1 = Math.min(a.x + a.pose.width, b.x + b.pose.width);
  const y1 = Math.min(a.y + a.pose.height, b.y + b.pose.height);
  for (let y = y0; y < y1; y++) {
    for (let x = x0; x < x1; x++) {
      const inA = a.pose.data[4 * ((y - a.y) * a.pose.width + x - a.x) + 3];
      if (inA !== 0 && b.pose.data[4 * ((y - b.y) * b.pose.width + x - b.x) + 3] !== 0) return true;
    }
  }
  return false;
}

const { places, move } = crowd(COUNT, SQUARE);
const contestants = [
  ["hitmask, pixels", pixels(hitmask.world(atlas))],
  ["ImageData loop, pixels", loop(hitmask.world(atlas))],
  ["check2d, boxes", shapes(check2d, false)],
  ["check2d, polygons", shapes(check2d, true)],
  ["detect-collisions, boxes", shapes(detectCollisions, false)],
  ["detect-collisions, polygons", shapes(detectCollisions, true)],
].map(([name, frame]) => ({ name, frame, times: [], wrong: 0, missed: 0 }));
let pairs = 0;
for (let frame = 0; frame < FRAMES; frame++) {
  move();
  let truth;
  for (const contestant of contestants) {
    const begin = performance.now();
    const found = contestant.frame(places);
    contestant.times.push(performance.now() - begin);
    truth ??= found;
    for (const pair of found) if (!truth.has(pair)) contestant.wrong++;
    for (const pair of truth) if (!found.has(pair)) contestant.missed++;
  }
  pairs += truth.size;
}
const [own, perPixel] = contestants;
if (perPixel.wrong + perPixel.missed !== 0) throw new Error("the loop over ImageData found other pairs than hitmask");
console.log(`${COUNT} moving sprites of ${SIDE} x ${SIDE} pixels, ${Math.round(pairs / FRAMES)} pairs, lower quartiles of ${FRAMES} frames`);
console.log("                             ms a frame   beside hitmask   false pairs   missed pairs");
for (const { name, times, wrong, missed } of contestants) {
  const time = quartile(times);
  const percent = (count) => `${((100 * count) / pairs).toFixed(1)}%`;
  console.log(`${name.padEnd(28)} ${time.toFixed(2).padStart(10)} ${`${(time / quartile(own.times)).toFixed(1)}x`.padStart(16)} ` +
    `${percent(wrong).padStart(13)} ${percent(missed).padStart(14)}`);
}
