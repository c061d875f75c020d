import { linkAbort } from "@typekube/core/internal";

/**
 * Returns an iterable over what `start` yields that can be ended while it waits. A generator that waits for the network
 * can't be ended from outside, so leaving the loop aborts the signal that it waits on.
 *
 * @param start - creates the generator; receives that signal, and a function that ends the iteration with an error.
 */
export function endable<E>(
  signal: AbortSignal | undefined,
  start: (signal: AbortSignal, fail: (error: unknown) => void) => AsyncGenerator<E, void>,
): AsyncIterable<E> {
  return {
    [Symbol.asyncIterator]() {
      const abort = linkAbort(signal);
      let failure: { readonly error: unknown } | undefined;
      const events = start(abort.signal, (error) => {
        failure ??= { error };
        abort.abort(error);
      });
      return {
        async next() {
          try {
            const result = await events.next();
            if (result.done) {
              abort[Symbol.dispose]();
              if (failure) {
                const { error } = failure;
                failure = undefined;
                throw error;
              }
            }
            return result;
          } catch (error) {
            // A loop does not call `return` after an error.
            abort[Symbol.dispose]();
            throw error;
          }
        },
        async return() {
          abort.abort(new DOMException("the iteration was stopped", "AbortError"));
          abort[Symbol.dispose]();
          await events.return();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
