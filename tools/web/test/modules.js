// The modules that tests run on: both that build.sh makes.
import { load } from "../index.js";

/** Loads each module, by name. */
export const modules = [
  ["simd128", () => load({ simd: true, bake: true })],
  ["plain", () => load({ simd: false, bake: true })],
];

/** Returns the error that a function throws. */
export function refused(work) {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}
