import { allowManyListeners } from "./many-listeners.js";

/** A controller that aborts with the first of its parents. Disposing it removes its listeners from them. */
export interface LinkedAbort extends Disposable {
  readonly signal: AbortSignal;
  /** Aborts the signal. The first reason stays. */
  abort(reason: unknown): void;
}

/** Links a new controller to signals. (`AbortSignal.any` keeps dependents of a long-lived signal in memory.) */
export function linkAbort(...parents: readonly (AbortSignal | undefined)[]): LinkedAbort {
  const controller = new AbortController();
  const unlink = parents.map((parent) => {
    const onAbort = () => controller.abort(parent?.reason);
    if (parent?.aborted) {
      onAbort();
    } else {
      allowManyListeners(parent);
      parent?.addEventListener("abort", onAbort, { once: true });
    }
    return () => parent?.removeEventListener("abort", onAbort);
  });
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    [Symbol.dispose]: () => {
      for (const each of unlink) {
        each();
      }
    },
  };
}
