/** Collects everything that an iterable yields. */
export async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of source) {
    found.push(one);
  }
  return found;
}
