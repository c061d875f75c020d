/** Collects all items of a stream. */
export async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of stream) {
    all.push(one);
  }
  return all;
}
