import { seededRandom } from "../../../objects/random.js";

/**
 * Makes `Math.random` return the same numbers in each run: clients spread their back-offs and the ends of their watches by it.
 *
 * @returns a function that restores it.
 */
export function seedMathRandom(seed: number): () => void {
  const before = Math.random;
  Math.random = seededRandom(seed);
  return () => {
    Math.random = before;
  };
}
