/** Longest word for which a similar one is searched. */
const maxLength = 60;

/** Returns up to three words that differ from a word in a few characters, nearest first. */
export function nearest(word: string, words: Iterable<string>): string[] {
  if (word.length > maxLength) {
    return [];
  }
  const lower = word.toLowerCase();
  const most = word.length < 5 ? 1 : word.length < 9 ? 2 : 3;
  const found = new Map<string, number>();
  for (const one of words) {
    if (one !== word && Math.abs(one.length - word.length) <= most && !found.has(one)) {
      const distance = editDistance(lower, one.toLowerCase());
      if (distance <= most) {
        found.set(one, distance);
      }
    }
  }
  return [...found]
    .sort(([, a], [, b]) => a - b)
    .slice(0, 3)
    .map(([one]) => one);
}

/** Returns the number of inserted, removed, replaced and swapped characters between two words. */
function editDistance(a: string, b: string): number {
  let previous: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(
        (row[j] as number) + 1,
        (next[j - 1] as number) + 1,
        (row[j - 1] as number) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, (previous[j - 2] as number) + 1);
      }
      next.push(least);
    }
    previous = row;
    row = next;
  }
  return row[b.length] as number;
}
