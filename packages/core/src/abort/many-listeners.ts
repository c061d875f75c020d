import { defaultMaxListeners, getMaxListeners, setMaxListeners } from "node:events";

/**
 * `true` on Node 20, which warns of a leak at more than ten listeners on one signal. Later versions allow a program to
 * use one signal for everything.
 */
const isWary = limitOf(new AbortController().signal) > 0;

/** Allows any number of calls and informers to listen to one signal at a time, unless its owner has set another limit. */
export function allowManyListeners(signal: AbortSignal | undefined): void {
  if (isWary && signal && limitOf(signal) === defaultMaxListeners) {
    setMaxListeners(0, signal);
  }
}

function limitOf(signal: AbortSignal): number {
  try {
    return getMaxListeners(signal);
  } catch {
    // Another runtime, which does not count listeners of signals.
    return 0;
  }
}
