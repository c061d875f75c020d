import type { Projection } from "../../projection/projection.js";
import type { Selection } from "../../projection/selection.js";
import { type PlainConstructor, plainConstructor } from "../plain-objects.js";
import { SharedTexts } from "../shared-texts.js";

/** Objects with more keys are user-defined maps, which rarely have the same keys. */
const maxKeys = 64;
/** Longest key with its quotes and its colon. No field of a kind has a longer name. */
const maxKeyBytes = 256;
/** Number of kinds whose shapes are kept; beyond it all shapes are forgotten and learned again. */
const maxKinds = 256;
/** Longest apiVersion and kind. No kind has a longer name. */
const maxNameLength = 512;
/** Number of keys of all shapes, about 400 bytes each; beyond it all shapes are forgotten and learned again. */
const maxLearnedKeys = 1 << 13;

let learnedKeys = 0;
/** Number of times all shapes were forgotten. */
let generation = 0;
let nextId = 0;
const kinds = new Map<string, KindShapes>();

/**
 * Records how the values at one place in a kind's objects have looked so far. When thousands of objects arrive, their
 * JSON repeats the same keys in the same order, so a key can be compared with the expected one instead of being read.
 */
export class Shape {
  /** First key of the last object here. */
  first: ShapeKey | undefined = undefined;
  /** Common string that was read here last. */
  likelyString = 0;
  /**
   * Constructs the objects here. One constructor, so that they share their hidden classes; known after the first
   * object.
   */
  Plain: PlainConstructor = firstObject;
  /** Small number that identifies the shape in hashes. */
  readonly id: number = nextId++;
  /**
   * `true` when equal objects here may be shared. Objects around `managedFields` may not: without managedFields the
   * same bytes give another object.
   */
  readonly mayBeShared: boolean;
  /** `true` when objects here get the mark of a projected object. */
  readonly isMarked: boolean;
  /** Shared objects here of which nothing but one field is read, when that is a text. */
  readonly sharedTexts: SharedTexts | undefined;
  /** Place in the table of shared objects where the last one was found. */
  likelyShared = 0;
  readonly #path: readonly string[] | undefined;
  readonly #given: Readonly<Record<string, Shape>> | undefined;
  /** Selects the fields that are read of objects here; `undefined` for all. */
  readonly #kept: Selection | undefined;
  /** Shapes of the fields that are read, when some are not. */
  readonly #chosen: Map<string, Shape> | undefined;
  #keys: Map<string, ShapeKey> | undefined;
  /** `true` when objects here have arbitrary keys, so that none is expected. */
  #isMap = false;
  #elements: Shape | undefined;
  /** Shape of the next object on the path. */
  #onPath: Shape | undefined;
  readonly #generation = generation;

  /**
   * @param path - keys that lead from here to the object that may have `managedFields`, if one does.
   * @param given - predefined shapes of fields.
   * @param kept - selects the fields that are read of objects here. Default: all.
   */
  constructor(path?: readonly string[], given?: Readonly<Record<string, Shape>>, kept?: Selection) {
    this.mayBeShared = path === undefined && given === undefined;
    this.#path = path;
    this.#given = given;
    this.#kept = kept === undefined || kept.whole ? undefined : kept;
    this.isMarked = kept?.isMarked === true;
    this.#chosen = this.#kept && new Map();
    const [only, ...others] = this.#kept?.fields.keys() ?? [];
    this.sharedTexts =
      only === undefined || others.length > 0 || this.isMarked ? undefined : new SharedTexts(only);
  }

  /** Returns the shape of the elements of an array here, or of the values of a map. */
  get elements(): Shape {
    this.#elements ??= new Shape(undefined, undefined, this.#kept);
    return this.#elements;
  }

  /** `true` once this shape is forgotten: it learns nothing more and must be looked up again. */
  get isForgotten(): boolean {
    return this.#generation !== generation;
  }

  /**
   * Returns the shape for the value of a key that was not learned; `undefined` for a value that is not read. Predefined
   * fields keep their own shape: an event's object must never be shared.
   */
  unlearned(name: string): Shape | undefined {
    return this.#chosen === undefined
      ? (this.#special(name) ?? this.elements)
      : this.#shapeOf(name, this.#chosen);
  }

  /** Returns the shape of a field that is read; `undefined` for one that is not. */
  #shapeOf(name: string, chosen: Map<string, Shape>): Shape | undefined {
    const kept = this.#kept?.fields.get(name);
    if (kept === undefined) {
      return undefined;
    }
    let shape = chosen.get(name);
    if (shape === undefined) {
      shape = this.#special(name) ?? new Shape(undefined, undefined, kept);
      chosen.set(name, shape);
    }
    return shape;
  }

  /** Returns the predefined shape of a field: the object of an event, or a field that leads to managedFields. */
  #special(name: string): Shape | undefined {
    const given = this.#given;
    if (given !== undefined && Object.hasOwn(given, name)) {
      return given[name];
    }
    const path = this.#path;
    if (path?.[0] !== name) {
      return undefined;
    }
    this.#onPath ??= new Shape(path.slice(1), undefined, this.#kept?.fields.get(name));
    return this.#onPath;
  }

  /**
   * Returns a known key, or learns it; `undefined` for a key of a map, or when no more keys can be learned.
   *
   * @param start - start of the key with its quotes and its colon, which ends at `end`.
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
    const value =
      this.#chosen === undefined
        ? (this.#special(name) ?? new Shape())
        : this.#shapeOf(name, this.#chosen);
    const key = new ShapeKey(name, bytes.subarray(start, end), value, isManagedFields);
    this.#keys.set(name, key);
    learnedKeys++;
    return key;
  }

  /** Learns the number of properties from the first object. */
  learnSize(object: object): void {
    this.Plain = plainConstructor(Object.keys(object).length + Number(this.isMarked));
  }
}

/** Consecutive unexpected objects of a kind before the kind is left to `JSON.parse`. */
const patience = 32;
/** Objects that are then left to `JSON.parse` before some are tried again, and the number of those. */
const leftAlone = 512;
const triedAgain = 8;

/**
 * Shape of the objects of a kind. The objects of some kinds differ from each other: users choose the keys, or most
 * values are floats. `JSON.parse` reads those faster, so unexpected objects are counted.
 */
export class KindShape extends Shape {
  #patience = patience;
  #leftAlone = 0;

  /** Returns whether the next object should be read by shape. */
  isWorthTrying(): boolean {
    if (this.#leftAlone === 0) {
      return true;
    }
    this.#leftAlone--;
    return false;
  }

  /** Records whether an object matched its shape. */
  tell(wasExpected: boolean): void {
    if (wasExpected) {
      this.#patience = patience;
    } else if (--this.#patience === 0) {
      this.#patience = triedAgain;
      this.#leftAlone = leftAlone;
    }
  }
}

/** Key of the objects at one place. */
export class ShapeKey {
  readonly name: string;
  /** Bytes of the key with its quotes and its colon, as 32-bit words. The last word may overlap the one before. */
  readonly words: Int32Array;
  readonly length: number;
  /** Shape of the value; `undefined` when it is skipped. */
  readonly value: Shape | undefined;
  readonly isManagedFields: boolean;
  /** Key that followed this one last time. */
  next: ShapeKey | undefined = undefined;

  constructor(name: string, bytes: Buffer, value: Shape | undefined, isManagedFields: boolean) {
    this.name = asPropertyName(name);
    this.length = bytes.length;
    this.words = wordsOfKey(bytes);
    this.value = value;
    this.isManagedFields = isManagedFields;
  }
}

/** Only the empty key has fewer bytes; it is not recognized. */
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

/** Returns V8's internalized copy of a key, which V8 looks up by its pointer alone. */
function asPropertyName(text: string): string {
  for (const name in { [text]: undefined }) {
    return name;
  }
  return text;
}

/** Constructor for the first object of a shape, whose size is still unknown. */
export const firstObject: PlainConstructor = plainConstructor(0);

/** Shapes of a kind: its objects, and the watch events that carry them. */
export interface KindShapes {
  readonly object: KindShape;
  readonly event: KindShape;
}

/**
 * Returns the shapes of a kind, which all readers share.
 *
 * @param projection - fields that are read of the objects. Default: all.
 */
export function shapesOfKind(
  apiVersion: unknown,
  kind: unknown,
  projection?: Projection,
): KindShapes {
  if (learnedKeys >= maxLearnedKeys || kinds.size >= maxKinds) {
    kinds.clear();
    learnedKeys = 0;
    generation++;
  }
  const name = `${apiVersion} ${kind}${projection === undefined ? "" : ` ${projection.id}`}`;
  let shapes = kinds.get(name);
  if (shapes === undefined) {
    const object = new KindShape(["metadata"], undefined, projection?.root);
    shapes = { object, event: new KindShape(undefined, { object }) };
    if (name.length <= maxNameLength) {
      kinds.set(name, shapes);
    }
  }
  return shapes;
}
