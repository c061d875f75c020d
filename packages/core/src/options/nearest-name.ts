/** Returns the name that a misspelled one most likely means; `undefined` when no name is near. */
export function nearestName(wrong: string, names: readonly string[]): string | undefined {
  const word = wrong.toLowerCase();
  let nearest: string | undefined;
  // At most two edits, or a third of a short word.
  let leastSlips = Math.min(2, Math.floor(word.length / 3)) + 1;
  for (const name of names) {
    const slips = slipsBetween(word, name.toLowerCase());
    if (slips < leastSlips) {
      nearest = name;
      leastSlips = slips;
    }
  }
  return nearest;
}

/** Returns the Levenshtein distance of two words, computed row by row. */
function slipsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const other = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(other, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
