import type { Random } from "@typekube/core/internal";

/** Returns a generator of numbers from a seed: a Weyl sequence whose steps are mixed twice. */
export function randomFrom(seed: number): Random {
  let at = Math.imul(seed, 0x85ebca6b) >>> 0;
  return () => {
    at = (at + 0x9e3779b9) >>> 0;
    const once = Math.imul(at ^ (at >>> 16), 0x7feb352d);
    const twice = Math.imul(once ^ (once >>> 15), 0x846ca68b);
    return ((twice ^ (twice >>> 16)) >>> 0) / 2 ** 32;
  };
}
