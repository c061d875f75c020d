/** Consecutive items, and whether a page ends after them. */
export interface PagePart<T> {
  readonly items: readonly T[];
  readonly endsPage: boolean;
  /** At the end of a page: items that remain on the server, if it reports them. */
  readonly remaining?: number | undefined;
}

/**
 * Reads pages ahead of their reader: while one is consumed, up to `count` more are requested and buffered. Requests
 * pages one after another, since each names the next. Requests none once the reader has stopped, and then calls `stop`.
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
      // The reader handles a failure when its turn comes, unless it has stopped.
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
