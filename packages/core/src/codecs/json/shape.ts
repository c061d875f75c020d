import { type PlainConstructor, plainConstructor } from "../plain-objects.js";

/** An object with more keys is a map of the user's, and its keys are seldom those of the next one. */
const maxKeys = 64;
/** No field of a kind has a longer name, with its quotes and its colon. */
const maxKeyBytes = 256;
/** Kinds whose shapes are kept; past it all are forgotten and learned anew. */
const maxKinds = 256;
/** No kind has a longer name. */
const maxNameLength = 512;
/** Keys of all shapes, about 400 bytes each; past it all are forgotten and learned again. */
const maxLearnedKeys = 1 << 13;

let learnedKeys = 0;
/** Counts how often everything was forgotten. */
let generation = 0;
let nextId = 0;
const kinds = new Map<string, KindShapes>();

/**
 * What the values at one place of a kind's objects looked like so far. JSON that comes by the thousand says the same keys in the
 * same order, so that each can be compared with what is expected in place of being read.
 */
export class Shape {
  /** The key that the last object here began with. */
  first: ShapeKey | undefined = undefined;
  /** The common string that stood here last. */
  likelyString = 0;
  /** Makes the objects here. One constructor, so that they share their hidden classes; known after the first one. */
  Plain: PlainConstructor = firstObject;
  /** One of few: for hashes. */
  readonly id: number = nextId++;
  /**
   * Whether equal objects here may be one. Those around `managedFields` may not: the same bytes are another object to a reader who
   * does not want them.
   */
  readonly mayBeShared: boolean;
  /** The place in the table of shared objects where the last one was found. */
  likelyShared = 0;
  readonly #path: readonly string[] | undefined;
  readonly #given: Readonly<Record<string, Shape>> | undefined;
  #keys: Map<string, ShapeKey> | undefined;
  /** Whether objects here have any keys, so that none is expected. */
  #isMap = false;
  #elements: Shape | undefined;
  /** The shape of the next object on the path. */
  #onPath: Shape | undefined;
  readonly #generation = generation;

  /**
   * @param path - the keys that lead from here to the object that may have `managedFields`, if one does.
   * @param given - shapes of fields that are known already.
   */
  constructor(path?: readonly string[], given?: Readonly<Record<string, Shape>>) {
    this.mayBeShared = path === undefined && given === undefined;
    this.#path = path;
    this.#given = given;
  }

  /** The shape of what stands in an array here, or in a map. */
  get elements(): Shape {
    this.#elements ??= new Shape();
    return this.#elements;
  }

  /** Whether this shape was forgotten: it learns no more, and is to be looked up again. */
  get isForgotten(): boolean {
    return this.#generation !== generation;
  }

  /**
   * The shape of the value behind a key that was not learned. Places that others depend on keep a shape of their own: an
   * event's object may never be shared.
   */
  unlearned(name: string): Shape {
    return this.#special(name) ?? this.elements;
  }

  /** The shape that is fixed for a field: the object of an event, and what leads to managedFields. */
  #special(name: string): Shape | undefined {
    const given = this.#given;
    if (given !== undefined && Object.hasOwn(given, name)) {
      return given[name];
    }
    const path = this.#path;
    if (path?.[0] !== name) {
      return undefined;
    }
    this.#onPath ??= new Shape(path.slice(1));
    return this.#onPath;
  }

  /**
   * What is known of a key, which is learned if need be; `undefined` if it is one of any that objects here may have, or when
   * enough is known.
   *
   * @param start - where the key stands with its quotes and its colon, up to `end`.
   */
  key(name: string, bytes: Buffer, start: number, end: number): ShapeKey | undefined {
    const known = this.#keys?.get(name);
    if (known !== undefined || this.#isMap) {
      return known;
    }
    if (learnedKeys >= maxLearnedKeys || this.isForgotten || end - start > maxKeyBytes) {
      return undefined;
    }
    this.#keys ??= new Map();
    if (this.#keys.size === maxKeys) {
      this.#isMap = true;
      this.first = undefined;
      this.#keys = undefined;
      return undefined;
    }
    const isManagedFields = this.#path?.length === 0 && name === "managedFields";
    const value = this.#special(name) ?? new Shape();
    const key = new ShapeKey(name, bytes.subarray(start, end), value, isManagedFields);
    this.#keys.set(name, key);
    learnedKeys++;
    return key;
  }

  /** To be told how many properties the first object got. */
  learnSize(object: object): void {
    this.Plain = plainConstructor(Object.keys(object).length);
  }
}

/** Objects of a kind that may be full of surprises before it is left to `JSON.parse`. */
const patience = 32;
/** How many are left to it then, before some are tried again; and how many those are. */
const leftAlone = 512;
const triedAgain = 8;

/**
 * What the objects of a kind look like. Some do not look like each other: keys are of the users' making, or there are floats all
 * over. Those are read faster by `JSON.parse`, so it is counted.
 */
export class KindShape extends Shape {
  #patience = patience;
  #leftAlone = 0;

  /** Whether the next object should be read by shape. */
  isWorthTrying(): boolean {
    if (this.#leftAlone === 0) {
      return true;
    }
    this.#leftAlone--;
    return false;
  }

  /** To be told whether an object was what it was expected to be. */
  tell(wasExpected: boolean): void {
    if (wasExpected) {
      this.#patience = patience;
    } else if (--this.#patience === 0) {
      this.#patience = triedAgain;
      this.#leftAlone = leftAlone;
    }
  }
}

/** A key of the objects at one place. */
export class ShapeKey {
  readonly name: string;
  /** Its bytes with the quotes and the colon, four at a time; the last four again, with what is left of them. */
  readonly words: Int32Array;
  readonly length: number;
  readonly value: Shape;
  readonly isManagedFields: boolean;
  /** The key that stood behind it last. */
  next: ShapeKey | undefined = undefined;

  constructor(name: string, bytes: Buffer, value: Shape, isManagedFields: boolean) {
    this.name = asPropertyName(name);
    this.length = bytes.length;
    this.words = wordsOfKey(bytes);
    this.value = value;
    this.isManagedFields = isManagedFields;
  }
}

/** Only the empty key has fewer bytes, and is not recognised. */
const wordBytes = 4;

function wordsOfKey(bytes: Buffer): Int32Array {
  const last = bytes.length - wordBytes;
  const words = new Int32Array(Math.ceil(bytes.length / wordBytes));
  for (let at = 0, i = 0; at < last; at += wordBytes) {
    words[i++] = bytes.readInt32LE(at);
  }
  if (last >= 0) {
    words[words.length - 1] = bytes.readInt32LE(last);
  }
  return words;
}

/** V8's own copy of a key: with it, setting properties looks at the pointer only. */
function asPropertyName(text: string): string {
  for (const name in { [text]: undefined }) {
    return name;
  }
  return text;
}

/** For the first object of a shape, of which nobody knows how large it will be. */
export const firstObject: PlainConstructor = plainConstructor(0);

/** What is known of a kind: its objects, and the watch events that bring them. */
export interface KindShapes {
  readonly object: KindShape;
  readonly event: KindShape;
}

/** The shapes of a kind, the same for all that read it. */
export function shapesOfKind(apiVersion: unknown, kind: unknown): KindShapes {
  if (learnedKeys >= maxLearnedKeys || kinds.size >= maxKinds) {
    kinds.clear();
    learnedKeys = 0;
    generation++;
  }
  const name = `${apiVersion} ${kind}`;
  let shapes = kinds.get(name);
  if (shapes === undefined) {
    const object = new KindShape(["metadata"]);
    shapes = { object, event: new KindShape(undefined, { object }) };
    if (name.length <= maxNameLength) {
      kinds.set(name, shapes);
    }
  }
  return shapes;
}
