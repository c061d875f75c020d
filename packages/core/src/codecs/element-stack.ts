// State of the decoding in progress: docs/wire.md, "Second results".
// Elements of the arrays being read, from the outermost array to the innermost. An array is created at its exact size
// when its last element is known, because a growing array reserves more than it holds.
const elements: unknown[] = [];
/**
 * Length above which the stack is released. It is not shortened after every array: setting the length frees and
 * allocates memory each time.
 */
const keptElements = 1 << 14;

/** Number of elements on the stack. The value before an array's first element marks where the array begins. */
export let elementsWaiting = 0;

/** Adds an element to the innermost array. */
export function putElement(element: unknown): void {
  elements[elementsWaiting++] = element;
}

/** Takes the elements that were put since `elementsWaiting` was `before`, as an array. */
export function takeElements(before: number): unknown[] {
  const taken =
    elementsWaiting === before + 1 ? [elements[before]] : elements.slice(before, elementsWaiting);
  // Cleared, so that the stack keeps no object alive.
  while (elementsWaiting > before) {
    elements[--elementsWaiting] = undefined;
  }
  return taken;
}

/** Clears the stack between two decodings: drops the elements of a failed decoding, and memory that is rarely needed. */
export function forgetElements(): void {
  elements.fill(undefined, 0, elementsWaiting);
  elementsWaiting = 0;
  if (elements.length > keptElements) {
    elements.length = 0;
  }
}
