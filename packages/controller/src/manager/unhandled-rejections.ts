import { callScope } from "@typekube/core/internal";
import { RunningRun } from "../loop/running-run.js";

let watchers = 0;

/**
 * Keeps the process alive when a promise that a reconciler did not await rejects, and reports it to the loop of its
 * controller. Rejections of other code end the process as they do without a manager, unless it handles them itself.
 *
 * @returns a function that ends the watch.
 */
export function watchFloatingPromises(): () => void {
  watchers++;
  if (watchers === 1) {
    process.on("unhandledRejection", onUnhandled);
  }
  let isEnded = false;
  return () => {
    watchers -= isEnded ? 0 : 1;
    if (watchers === 0 && !isEnded) {
      process.off("unhandledRejection", onUnhandled);
    }
    isEnded = true;
  };
}

function onUnhandled(reason: unknown): void {
  const run = callScope();
  if (run instanceof RunningRun) {
    run.onFloating(reason);
  } else if (process.listenerCount("unhandledRejection") === 1) {
    // The same as without a listener: the error becomes an uncaught exception.
    throw reason;
  }
}
