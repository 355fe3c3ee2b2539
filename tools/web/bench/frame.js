// The time of a frame: 20,000 moving sprites with 1.2 touching pairs each are moved by the game,
// placed, tested, and all pairs and events are read. Both modules take turns.
import { load } from "../index.js";
import { ANGLES, crowd, quartile, star } from "./scene.js";

const COUNT = 20_000;
/** The square in which so many sprites have 1.2 touching pairs each, in pixels. */
const SQUARE = 3310;
const FRAMES = Number(process.argv[2] ?? 300);

const sides = [];
for (const [name, simd] of [["simd128", true], ["plain", false]]) {
  const hitmask = await load({ simd, bake: true });
  const world = hitmask.world(hitmask.bake([{ name: "star", imageData: star, angles: ANGLES }]));
  const { places, move } = crowd(COUNT, SQUARE);
  const ids = Float64Array.from({ length: COUNT }, () => world.add({ sprite: "star" }));
  sides.push({ name, world, places, move, ids, times: { move: [], place: [], update: [], read: [], all: [], cpu: [] } });
}

let sum = 0;
for (let frame = 0; frame < FRAMES; frame++) {
  for (const side of frame % 2 ? sides : [...sides].reverse()) {
    const { world, places, move, ids, times } = side;
    const cpu = process.cpuUsage();
    const begin = performance.now();
    move();
    const moved = performance.now();
    world.placeMany(ids, places);
    const placed = performance.now();
    world.update();
    const updated = performance.now();
    const pairs = world.touchingArray();
    for (let i = 0; i < pairs.length; i++) sum += pairs[i] >>> 0;
    for (const list of [world.beganArray(), world.endedArray()]) for (let i = 0; i < list.length; i++) sum += list[i] >>> 0;
    const end = performance.now();
    const { user, system } = process.cpuUsage(cpu);
    times.cpu.push((user + system) / 1000);
    side.pairs = pairs.length / 2;
    times.move.push(moved - begin);
    times.place.push(placed - moved);
    times.update.push(updated - placed);
    times.read.push(end - updated);
    times.all.push(end - begin);
  }
}
const [first, second] = sides.map(({ world }) => world.stateHash());
if (first !== second) throw new Error(`the modules disagree: ${first} and ${second}`);

console.log(`${COUNT} moving sprites, ${sides[0].pairs} pairs (${(sides[0].pairs / COUNT).toFixed(2)} each), ` +
  `lower quartiles of ${FRAMES} frames in ms, checksum ${sum % 1000}`);
console.log("module    moves by the game  placement  update  pairs read  whole frame  of the processor");
for (const { name, times } of sides) {
  const [move, place, update, read, all, cpu] = Object.values(times).map((list) => quartile(list).toFixed(2));
  console.log(`${name.padEnd(8)}  ${move.padStart(17)}  ${place.padStart(9)}  ${update.padStart(6)}  ${read.padStart(10)}  ${all.padStart(11)}  ${cpu.padStart(16)}`);
}
