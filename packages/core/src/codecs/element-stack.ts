// The elements of the arrays that are being read, from the outermost array to the innermost. An array is made when its last element is
// known, of exactly its size: one that grows has room for more than it holds.
const elements: unknown[] = [];
/** Room for more than this is given back. It does not become less by itself: setting a length frees and allocates the memory each time. */
const keptElements = 1 << 14;

/** How many elements wait. An array begins where this was before its first. */
export let elementsWaiting = 0;

/** Adds an element to the innermost array. */
export function putElement(element: unknown): void {
  elements[elementsWaiting++] = element;
}

/** Makes an array of the elements that were put since there were so many. */
export function takeElements(before: number): unknown[] {
  const taken =
    elementsWaiting === before + 1 ? [elements[before]] : elements.slice(before, elementsWaiting);
  // What was taken is let go: it must not keep an object alive.
  while (elementsWaiting > before) {
    elements[--elementsWaiting] = undefined;
  }
  return taken;
}

/** To be called between two decodings: lets go of what one that failed left, and of room that is rarely needed. */
export function forgetElements(): void {
  elements.fill(undefined, 0, elementsWaiting);
  elementsWaiting = 0;
  if (elements.length > keptElements) {
    elements.length = 0;
  }
}
