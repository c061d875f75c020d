/** A queue with back-pressure: the producer waits while too much is queued. */
export interface FlowQueue<T> extends AsyncIterable<T> {
  /** Resolves when there is room again. */
  push(item: T, size: number): Promise<void>;
  end(): void;
}

/**
 * Creates a queue that can be read once.
 *
 * @param limit - total size above which `push` waits.
 */
export function createFlowQueue<T>(limit: number): FlowQueue<T> {
  const items: { readonly item: T; readonly size: number }[] = [];
  let size = 0;
  let isEnded = false;
  let wakeReader = () => {};
  let wakePusher = () => {};
  return {
    async push(item, itemSize) {
      if (isEnded) {
        return;
      }
      items.push({ item, size: itemSize });
      size += itemSize;
      wakeReader();
      while (size > limit && !isEnded) {
        await new Promise<void>((resolve) => {
          wakePusher = resolve;
        });
      }
    },
    end() {
      isEnded = true;
      wakeReader();
      wakePusher();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const next = items.shift();
        if (next !== undefined) {
          size -= next.size;
          wakePusher();
          yield next.item;
        } else if (isEnded) {
          return;
        } else {
          await new Promise<void>((resolve) => {
            wakeReader = resolve;
          });
        }
      }
    },
  };
}
