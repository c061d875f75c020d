import { linkAbort } from "@typekube/core";

/**
 * An iterable over what `start` yields that can be ended while it waits: a generator that waits for the network cannot be ended
 * from outside, so leaving the loop aborts the signal that it waits on.
 */
export function endable<E>(
  signal: AbortSignal | undefined,
  start: (signal: AbortSignal) => AsyncGenerator<E, void>,
): AsyncIterable<E> {
  return {
    [Symbol.asyncIterator]() {
      const abort = linkAbort(signal);
      const events = start(abort.signal);
      return {
        async next() {
          try {
            const result = await events.next();
            if (result.done) {
              abort[Symbol.dispose]();
            }
            return result;
          } catch (error) {
            // Nobody calls `return` after an error.
            abort[Symbol.dispose]();
            throw error;
          }
        },
        async return() {
          abort.abort(new DOMException("the iteration was ended", "AbortError"));
          abort[Symbol.dispose]();
          await events.return();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
