import { defaultMaxListeners, getMaxListeners, setMaxListeners } from "node:events";

/** Node 20 warns of a leak when more than ten listen to one signal; later ones know that a program has one for all it does. */
const isWary = limitOf(new AbortController().signal) > 0;

/** Lets any number of calls and informers listen to one signal at a time, unless its owner has set another number. */
export function allowManyListeners(signal: AbortSignal | undefined): void {
  if (isWary && signal && limitOf(signal) === defaultMaxListeners) {
    setMaxListeners(0, signal);
  }
}

function limitOf(signal: AbortSignal): number {
  try {
    return getMaxListeners(signal);
  } catch {
    // Another runtime, which counts no listeners of signals.
    return 0;
  }
}
