import { isThenable } from "./is-thenable.js";

/** Calls a callback and ignores what it throws or rejects with. A failing callback must not end work that others share. */
export function callSafely(callback: () => unknown): void {
  try {
    const received = callback();
    if (isThenable(received)) {
      received.then(undefined, () => {});
    }
  } catch {
    // An error handler that throws has no other handler to report to.
  }
}
