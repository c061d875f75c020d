import { isThenable } from "./is-thenable.js";

/** Calls a callback that is told of something. What it throws, now or later, must not end what others share. */
export function callSafely(callback: () => unknown): void {
  try {
    const received = callback();
    if (isThenable(received)) {
      received.then(undefined, () => {});
    }
  } catch {
    // Whoever hears of errors with an error has nobody left to tell.
  }
}
