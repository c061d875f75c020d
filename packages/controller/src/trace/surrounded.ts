import type { AroundWork } from "@typekube/core/internal";

/**
 * Publishes an event whose subscribers may surround the work, and returns the work surrounded by them. The first
 * subscriber is the outermost.
 */
export function surrounded<T>(
  publish: (around: (wrap: AroundWork) => void) => void,
  work: () => T,
): () => T {
  const wraps: AroundWork[] = [];
  let isOpen = true;
  publish((wrap) => {
    if (isOpen) {
      wraps.push(wrap);
    }
  });
  isOpen = false;
  return wraps.reduceRight<() => T>((inner, wrap) => () => wrap(inner), work);
}
