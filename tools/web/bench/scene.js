// A crowd of sprites that drift, turn and bounce in a square.
import { drawn } from "../test/scene.js";

/** The side of the image in pixels, and the number of angles. */
export const SIDE = 24;
export const ANGLES = 64;

/** A star of five points, with a hole in its middle. */
export const star = drawn(SIDE, SIDE, (x, y) => {
  const [dx, dy] = [x + 0.5 - SIDE / 2, y + 0.5 - SIDE / 2];
  const reach = (SIDE / 2) * (0.7 + 0.3 * Math.cos(5 * Math.atan2(dy, dx)));
  const distance = Math.hypot(dx, dy);
  return distance < reach && distance > 3;
});

/** Numbers from 0 to 1 that are the same in each run. */
export function randoms(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let z = Math.imul(state ^ (state >>> 15), state | 1);
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
    return ((z ^ (z >>> 14)) >>> 0) / 4294967296;
  };
}

/** Returns places (x, y, angle) in a square, and a function that moves all by one frame. */
export function crowd(count, side) {
  const random = randoms(38);
  const places = new Float32Array(3 * count);
  const speeds = new Float32Array(3 * count);
  for (let i = 0; i < 3 * count; i += 3) {
    places[i] = random() * side;
    places[i + 1] = random() * side;
    places[i + 2] = random() * 2 * Math.PI;
    speeds[i] = 4 * random() - 2;
    speeds[i + 1] = 4 * random() - 2;
    speeds[i + 2] = 0.1 * random() - 0.05;
  }
  const move = () => {
    for (let i = 0; i < places.length; i += 3) {
      const x = places[i] + speeds[i];
      const y = places[i + 1] + speeds[i + 1];
      if (x < 0 || x > side) speeds[i] = -speeds[i];
      if (y < 0 || y > side) speeds[i + 1] = -speeds[i + 1];
      places[i] = x;
      places[i + 1] = y;
      places[i + 2] += speeds[i + 2];
    }
  };
  return { places, move };
}

/** Returns the lower quartile: a machine that other jobs share adds to many times, and takes from none. */
export function quartile(numbers) {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 2];
}
