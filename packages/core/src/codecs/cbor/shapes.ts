import { setOwn } from "../../objects/own-property.js";
import { mark } from "../../projection/projected-objects.js";
import { decodeError } from "../decode-error.js";
import { type PlainConstructor, plainConstructor } from "../plain-objects.js";

// The server writes the keys of a map in random order. Objects whose properties were added in different orders share no
// hidden class, and each is several times larger. So each known set of keys has one fixed order.

/** Objects with more keys are usually user-defined maps, which are rarely alike. */
const maxShapeKeys = 30;
/**
 * Number of places, each for two shapes. The memory that shapes hold (property names, hidden classes) stays below 2
 * MiB.
 */
const shapeSets = 1 << 9;

/** One set of keys and the constructor of objects with them. */
interface Shape {
  readonly hash: number;
  /** Keys in the order in which objects get them. */
  readonly keys: readonly string[];
  /**
   * For each key, the index of the key that followed it last time: the fields of Go structs arrive rotated, not
   * shuffled.
   */
  readonly followers: Uint8Array;
  readonly Plain: PlainConstructor;
}

const shapes: (Shape | undefined)[] = new Array<undefined>(shapeSets * 2).fill(undefined);
/** Hashes of key sets seen once. A set gets a shape when it is seen for the second time. */
const candidates = new Int32Array(shapeSets * 4);
/** For each key of a shape, the index of its pair in the current map. */
const pairOf = new Uint8Array(maxShapeKeys);

/**
 * Makes an object from an array of alternating keys and values.
 *
 * @param hash - hash of the set of keys, in any order; 0 for a set with a key that no shape can have.
 * @param isMarked - `true` for an object that gets the mark of a projected one.
 * @throws {KubeError} `Decode` for a duplicate key.
 */
export function makeObject(
  pairs: readonly unknown[],
  start: number,
  end: number,
  hash: number,
  isMarked: boolean,
): Record<string, unknown> {
  const count = (end - start) >> 1;
  if (count === 0) {
    return newObject(isMarked);
  }
  if (hash === 0 || count > maxShapeKeys) {
    return makeSorted(pairs, start, count, isMarked);
  }
  const at = ((hash ^ (hash >>> 16)) & (shapeSets - 1)) * 2;
  let shape = shapes[at];
  if (shape?.hash !== hash) {
    shape = shapes[at + 1];
    if (shape?.hash !== hash) {
      const object = makeSorted(pairs, start, count, isMarked);
      considerShape(at, hash, object, isMarked);
      return object;
    }
  }
  return (
    (shape.keys.length === count && makeShaped(shape, pairs, start, count, isMarked)) ||
    makeSorted(pairs, start, count, isMarked)
  );
}

/** Makes an object of a known shape; `undefined` when the keys differ despite an equal hash, or one is a duplicate. */
function makeShaped(
  { keys, followers, Plain }: Shape,
  pairs: readonly unknown[],
  start: number,
  count: number,
  isMarked: boolean,
): Record<string, unknown> | undefined {
  let seen = 0;
  let place = count - 1;
  for (let i = 0; i < count; i++) {
    const key = pairs[start + 2 * i] as string;
    const previous = place;
    place = followers[previous] as number;
    if (keys[place] !== key) {
      place = keys.indexOf(key);
      if (place < 0) {
        return undefined;
      }
      followers[previous] = place;
    }
    seen |= 1 << place;
    pairOf[place] = i;
  }
  if (seen !== (1 << count) - 1) {
    return undefined;
  }
  const object = newObject(isMarked, Plain);
  for (let i = 0; i < count; i++) {
    object[keys[i] as string] = pairs[start + 2 * (pairOf[i] as number) + 1];
  }
  return object;
}

function makeSorted(
  pairs: readonly unknown[],
  start: number,
  count: number,
  isMarked: boolean,
): Record<string, unknown> {
  const object = newObject(isMarked);
  const order = Array.from({ length: count }, (_, i) => start + 2 * i);
  order.sort((a, b) => compareKeys(pairs[a] as string, pairs[b] as string));
  let previous: string | undefined;
  for (const at of order) {
    const key = pairs[at] as string;
    if (key === previous) {
      throw decodeError("a map has a duplicate key");
    }
    previous = key;
    setOwn(object, key, pairs[at + 1]);
  }
  return object;
}

/** Returns an object without fields. The mark comes first, so that it gets a place inside of the object. */
function newObject(isMarked: boolean, Plain?: PlainConstructor): Record<string, unknown> {
  const object: Record<string, unknown> = Plain === undefined ? {} : new Plain();
  if (isMarked) {
    mark(object);
  }
  return object;
}

/** Orders kind and apiVersion first, as in the other encodings. */
function compareKeys(a: string, b: string): number {
  if (a === b) {
    return 0;
  }
  const rank = rankOf(a) - rankOf(b);
  return rank !== 0 ? rank : a < b ? -1 : 1;
}

function rankOf(key: string): number {
  return key === "kind" ? 0 : key === "apiVersion" ? 1 : 2;
}

/** Gives a shape to a set of keys that was seen before. The newer of the two shapes at one place is tried first. */
function considerShape(
  at: number,
  hash: number,
  object: Record<string, unknown>,
  isMarked: boolean,
): void {
  const candidate = (hash ^ (hash >>> 13)) & (candidates.length - 1);
  if (candidates[candidate] !== hash) {
    candidates[candidate] = hash;
    return;
  }
  const keys = Object.keys(object);
  if (keys.includes("__proto__")) {
    return;
  }
  shapes[at + 1] = shapes[at];
  shapes[at] = {
    hash,
    keys,
    followers: Uint8Array.from(keys, (_, i) => (i + 1) % keys.length),
    Plain: plainConstructor(keys.length + Number(isMarked)),
  };
}
