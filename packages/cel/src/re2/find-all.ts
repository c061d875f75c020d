/** Finds the first match at or behind an offset. */
export type Search = (
  text: string,
  from: number,
) => { readonly start: number; readonly end: number } | undefined;

/**
 * Returns the matches in a text, from left to right and without overlaps; like Go's `FindAllString`, it leaves out an empty
 * match right behind another match.
 *
 * @param limit - Largest number of matches; a negative one is no limit.
 */
export function findAll(search: Search, text: string, limit: number): string[] {
  const matches: string[] = [];
  let previousEnd = -1;
  let from = 0;
  while (from <= text.length && matches.length !== limit) {
    const match = search(text, from);
    if (match === undefined) {
      break;
    }
    const { start, end } = match;
    if (end > from || start !== previousEnd) {
      matches.push(text.slice(start, end));
    }
    previousEnd = end;
    from = end > from ? end : from + ((text.codePointAt(from) ?? 0) > 0xffff ? 2 : 1);
  }
  return matches;
}
