import { isThenable } from "../is-thenable.js";
import type { WatcherOptions } from "./watcher-options.js";

/**
 * Options whose callbacks never throw: what one throws, or its promise rejects with, goes to `fail`. Thrown where it is called it would pass for a failure of the
 * server's, which is told and retried.
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
