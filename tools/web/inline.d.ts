/** `hitmask` with its module inside: one file, which needs simd128. `load()` gives a module that bakes. */
export * from "./index.js";
