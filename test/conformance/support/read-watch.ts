import type { KubeObject } from "@typekube/api";
import type { ObjectEvent, WatchEvent } from "@typekube/client";

/** Reads a watch up to and including the first event that matches, then ends it. */
export async function readUntil<T extends KubeObject>(
  watch: AsyncIterable<WatchEvent<T>>,
  isLast: (event: WatchEvent<T>) => boolean,
): Promise<WatchEvent<T>[]> {
  const events: WatchEvent<T>[] = [];
  for await (const event of watch) {
    events.push(event);
    if (isLast(event)) {
      return events;
    }
  }
  throw new Error(
    `the watch ended after ${events.length} events without the one that was waited for`,
  );
}

/** Reads `count` events about objects, and skips bookmarks. */
export async function readObjects<T extends KubeObject>(
  watch: AsyncIterable<WatchEvent<T>>,
  count: number,
): Promise<ObjectEvent<T>[]> {
  const seen: ObjectEvent<T>[] = [];
  await readUntil(watch, (event) => {
    if (event.type !== "BOOKMARK") {
      seen.push(event);
    }
    return seen.length === count;
  });
  return seen;
}

/** Returns type and name of each event, which most comparisons use. */
export function typeAndName<T extends KubeObject>(events: readonly ObjectEvent<T>[]): string[] {
  return events.map(({ type, object }) => `${type} ${object.metadata.name}`);
}
