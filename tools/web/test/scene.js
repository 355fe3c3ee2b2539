// The scene of tools/capi/examples/bounce.c, which C, Rust, node and Chromium run alike.

const SPRITES = 10_000;
const TICKS = 30;
const WIDTH = 4000;
const HEIGHT = 3000;
const RING = 32;

/** SplitMix64, from the seed of the C example. */
function random(seed) {
  let state = BigInt(seed);
  const wrap = (number) => BigInt.asUintN(64, number);
  return function below(end) {
    state = wrap(state + 0x9e3779b97f4a7c15n);
    let z = state;
    z = wrap((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = wrap((z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    z ^= z >> 31n;
    return Number(((z >> 32n) * BigInt(end)) >> 32n);
  };
}

/** Returns an image of rows of text: "#" is a solid pixel. */
export function image(rows) {
  const lines = rows.trim().split("\n").map((line) => line.trim());
  return drawn(lines[0].length, lines.length, (x, y) => lines[y][x] === "#");
}

/** Returns an image whose solid pixels a function gives. */
export function drawn(width, height, isSolid) {
  const data = new Uint8ClampedArray(4 * width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) data[4 * (y * width + x) + 3] = isSolid(x, y) ? 255 : 0;
  }
  return { width, height, data };
}

/** Runs the scene and returns the line that the C example prints. Another library may bake its sprites. */
export function bounce(hitmask, baker = hitmask) {
  const ring = drawn(RING, RING, (x, y) => {
    const [dx, dy] = [2 * x - RING + 1, 2 * y - RING + 1];
    const d = dx * dx + dy * dy;
    return d < RING * RING && d > RING * RING / 3;
  });
  const arrow = image(`
    #........
    ####.....
    #######..
    #########
    #######..
    ####.....
    #........
  `);
  const baked = baker.bake([{ name: "ring", imageData: ring }, { name: "arrow", imageData: arrow }]);
  const atlas = baker === hitmask ? baked : hitmask.atlas(baked.bytes());
  const world = hitmask.world(atlas);
  atlas.dispose();
  const below = random(38);
  const ids = new Float64Array(SPRITES);
  const at = new Float32Array(3 * SPRITES);
  const speed = new Float32Array(2 * SPRITES);
  const spin = new Uint16Array(SPRITES);
  for (let i = 0; i < SPRITES; i++) {
    at[3 * i] = below(WIDTH);
    at[3 * i + 1] = below(HEIGHT);
    at[3 * i + 2] = below(65536);
    speed[2 * i] = below(33) / 4 - 4;
    speed[2 * i + 1] = below(33) / 4 - 4;
    spin[i] = below(2048);
    const [x, y, turn] = at.subarray(3 * i, 3 * i + 3);
    ids[i] = world.add({ sprite: i % 2 ? "ring" : "arrow", x, y, turn });
  }
  let began = 0;
  for (let tick = 0; tick < TICKS; tick++) {
    for (let i = 0; i < SPRITES; i++) {
      for (const [axis, side] of [[0, WIDTH], [1, HEIGHT]]) {
        at[3 * i + axis] += speed[2 * i + axis];
        if (at[3 * i + axis] < 0 || at[3 * i + axis] > side) speed[2 * i + axis] *= -1;
      }
      at[3 * i + 2] = (at[3 * i + 2] + spin[i]) & 0xffff;
    }
    world.placeManyTurns(ids, at);
    world.update();
    began += world.beganArray().length / 2;
  }
  const line = `touching ${world.touchingArray().length / 2}, began ${began}, state ${world.stateHash().toString(16).padStart(16, "0")}\n`;
  world.dispose();
  return line;
}
