/** Explains why a text is not a list of indexes such as `1,3-5`; `undefined` when it is. */
export function indexText(text: string, most: number): string | undefined {
  let previous: number | undefined;
  for (const index of text === "" ? [] : text.split(/[,-]/)) {
    const number = /^\d+$/.test(index) ? Number(index) : undefined;
    if (number === undefined) {
      return `cannot convert string to integer for index: ${JSON.stringify(index)}`;
    }
    if (number >= most) {
      return `too large index: ${JSON.stringify(index)}`;
    }
    if (previous !== undefined && number <= previous) {
      return `non-increasing order, previous: ${previous}, current: ${number}`;
    }
    previous = number;
  }
  return undefined;
}

/** Counts the indexes in a valid list: `1,3-5` has four. */
export function countOf(text: string): number {
  return text === ""
    ? 0
    : text.split(",").reduce((sum, part) => {
        const [first, last = first] = part.split("-").map(Number);
        return sum + Number(last) - Number(first) + 1;
      }, 0);
}
