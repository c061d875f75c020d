/** Characters of generated names: no vowels and nothing that looks like another one. (apimachinery `util/rand`) */
const characters = "bcdfghjklmnpqrstvwxz2456789";
const suffixLength = 5;

/** Returns the random end of a generated name. */
export function randomSuffix(random: () => number): string {
  const at = () => Math.floor(random() * characters.length);
  return Array.from({ length: suffixLength }, () => characters[at()]).join("");
}
