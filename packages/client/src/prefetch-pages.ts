import { KubeError } from "@typekube/core";

/** A run of items, and whether a page ends behind it. */
export interface PagePart<T> {
  readonly items: readonly T[];
  readonly endsPage: boolean;
  /** Behind the page: items that the server still has, as far as it tells. */
  readonly remaining?: number | undefined;
}

/**
 * Reads pages ahead of their reader: while one is in hand, up to `count` more are asked for and kept whole. Pages come one after
 * the other, as each names the next, and none is asked for once the reader has stopped: then `stop` is called.
 */
export async function* prefetchPages<T>(
  parts: AsyncIterable<PagePart<T>>,
  count: number,
  stop: () => void,
): AsyncIterable<PagePart<T>> {
  const pages = wholePages(parts)[Symbol.asyncIterator]();
  const ahead: Promise<IteratorResult<PagePart<T>>>[] = [];
  let isReading = false;
  let isOver = false;
  const readOn = () => {
    if (isReading || isOver || ahead.length >= count) {
      return;
    }
    isReading = true;
    const page = pages.next();
    ahead.push(page);
    page.then(
      ({ done }) => {
        isReading = false;
        isOver ||= done === true;
        readOn();
      },
      // Somebody looks at a failure when its turn comes, or nobody does any more.
      () => {
        isOver = true;
      },
    );
  };
  try {
    for (;;) {
      readOn();
      const result = await ahead.shift();
      if (result === undefined || result.done) {
        return;
      }
      readOn();
      yield result.value;
    }
  } finally {
    isOver = true;
    stop();
    await Promise.allSettled(ahead);
    await pages.return?.();
  }
}

/**
 * How many pages to read ahead.
 *
 * @throws {KubeError} `InvalidArgument` for what is no whole number of 0 or more.
 */
export function checkedPrefetch(prefetch: number): number {
  if (!Number.isInteger(prefetch) || prefetch < 0) {
    throw new KubeError("InvalidArgument", "prefetch: must be a whole number of 0 or more");
  }
  return prefetch;
}

async function* wholePages<T>(
  parts: AsyncIterable<PagePart<T>>,
): AsyncGenerator<PagePart<T>, void> {
  let items: T[] = [];
  for await (const part of parts) {
    for (const item of part.items) {
      items.push(item);
    }
    if (part.endsPage) {
      yield { ...part, items };
      items = [];
    }
  }
}
