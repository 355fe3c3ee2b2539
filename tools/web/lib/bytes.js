import { HitmaskError, describe } from "./error.js";

/** Returns a view of the bytes of a buffer or of a view, without a copy. */
export function asBytes(bytes) {
  if (bytes instanceof ArrayBuffer) return new Uint8Array(bytes);
  if (ArrayBuffer.isView(bytes)) return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  throw new HitmaskError("BAD_VALUE", `the bytes are ${describe(bytes)}`, "give an ArrayBuffer or a typed array");
}
