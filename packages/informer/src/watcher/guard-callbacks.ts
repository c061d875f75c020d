import { isThenable } from "../callbacks/is-thenable.js";
import type { WatcherOptions } from "./watcher-options.js";

/**
 * Wraps the callbacks of options so that they never throw: errors and rejections go to `fail`. If one were thrown
 * inside the watcher, it would pass for a failure of the server, and be reported and retried.
 */
export function guardCallbacks<O extends WatcherOptions>(
  options: O,
  fail: (error: unknown) => void,
): O {
  const guard = <A>(callback: ((argument: A) => void) | undefined) =>
    callback &&
    ((argument: A): void => {
      try {
        const received: unknown = callback(argument);
        if (isThenable(received)) {
          received.then(undefined, fail);
        }
      } catch (error) {
        fail(error);
      }
    });
  const { onError, onProgress, onRestart, onState } = options;
  return {
    ...options,
    onError: guard(onError),
    onProgress: guard(onProgress),
    onRestart: guard(onRestart),
    onState: guard(onState),
  };
}
