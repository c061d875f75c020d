/** Bytes that a chunk counts in addition to its own: it costs memory, however small it is. */
export const chunkOverhead = 64;

/** A queue with back-pressure: the producer waits while too much is queued. */
export interface FlowQueue<T> extends AsyncIterable<T> {
  /** Adds an item. Returns a promise that resolves when there is room for more; `undefined` when there is. */
  push(item: T, size: number): Promise<void> | undefined;
  end(): void;
}

/**
 * Creates a queue that can be read once.
 *
 * @param limit - total size above which the producer has to wait.
 */
export function createFlowQueue<T>(limit: number): FlowQueue<T> {
  const items: { readonly item: T; readonly size: number }[] = [];
  let size = 0;
  let isEnded = false;
  let wakeReader = () => {};
  let room: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;
  const makeRoom = () => {
    if (room !== undefined && (size <= limit || isEnded)) {
      room.resolve();
      room = undefined;
    }
  };
  return {
    push(item, itemSize) {
      if (isEnded) {
        return undefined;
      }
      items.push({ item, size: itemSize });
      size += itemSize;
      wakeReader();
      if (size <= limit) {
        return undefined;
      }
      room ??= pending();
      return room.promise;
    },
    end() {
      isEnded = true;
      wakeReader();
      makeRoom();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const next = items.shift();
        if (next !== undefined) {
          size -= next.size;
          makeRoom();
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

function pending() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
