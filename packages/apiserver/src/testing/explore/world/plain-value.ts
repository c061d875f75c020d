import { KubeError } from "@typekube/core";
import { compareTexts } from "./compare-texts.js";

/** Most levels of nested values: further ones would overflow the stack. */
const mostLevels = 1_000;
/** Most values of one state. Values that refer to each other are shown once for each path, of which there may be many. */
const mostValues = 100_000;
/** Names of a path that an error shows. */
const shownNames = 6;

/** The place of a value: the values around it, each with its name in the one before. The first has none. */
interface Place {
  readonly around: object[];
  readonly names: string[];
  /** Name of the external system. */
  readonly system: string;
  /** Values so far. */
  count: number;
}

/**
 * Returns the state of an external system as JSON: names sorted, sets as sorted lists, maps as objects, or as sorted lists of
 * pairs if some key is no name, without functions. A reference to a value around it becomes a text that names the place of
 * that value.
 *
 * @param root - the value that a reference to the state itself refers to.
 * @throws {KubeError} `InvalidArgument` for values that are nested too deeply, or too many.
 */
export function plainValue(value: unknown, root: object, system: string): unknown {
  return isContainer(value)
    ? plainContainer(value, { around: [root], names: [], system, count: 0 })
    : plainLeaf(value);
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null && !(value instanceof Date);
}

function plainLeaf(value: unknown): unknown {
  if (value instanceof Date) {
    return Number.isNaN(value.getTime()) ? String(value) : value.toISOString();
  }
  return typeof value === "bigint" || typeof value === "symbol" ? String(value) : value;
}

function plainItem(value: unknown, name: string, place: Place): unknown {
  if (!isContainer(value)) {
    return plainLeaf(value);
  }
  const { around, names, system } = place;
  const at = around.indexOf(value);
  if (at >= 0) {
    return at === 0 ? "(the system itself)" : `(the same object as ${pathOf(names.slice(0, at))})`;
  }
  place.count += 1;
  if (place.count > mostValues) {
    throw new KubeError(
      "InvalidArgument",
      `externals: the state of ${system} has more than ${mostValues} objects, with one for each path to it`,
      { hint: "give it a method state() that returns what counts" },
    );
  }
  around.push(value);
  names.push(name);
  if (names.length > mostLevels) {
    throw new KubeError(
      "InvalidArgument",
      `externals: the state of ${system} is nested more than ${mostLevels} levels deep, at ${pathOf(names.slice(0, shownNames))}…`,
      { hint: "give it a method state() that returns what counts" },
    );
  }
  const plain = plainContainer(value, place);
  around.pop();
  names.pop();
  return plain;
}

function plainContainer(value: object, place: Place): unknown {
  if (value instanceof Set) {
    return plainList(value, place);
  }
  if (value instanceof Map && ![...value.keys()].every(isName)) {
    return plainList(value.entries(), place);
  }
  if (Array.isArray(value)) {
    return value.map((item, at) => plainItem(item, `[${at}]`, place));
  }
  const fields = value instanceof Map ? Object.fromEntries(value) : value;
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, item]) => typeof item !== "function")
      .sort(([a], [b]) => compareTexts(a, b))
      .map(([key, item]) => [key, plainItem(item, key, place)]),
  );
}

/** Returns items in an order of their own: theirs says nothing, and so their places have no numbers. */
function plainList(items: Iterable<unknown>, place: Place): unknown[] {
  return [...items]
    .map((item) => plainItem(item, "[]", place))
    .sort((a, b) => compareTexts(JSON.stringify(a), JSON.stringify(b)));
}

function isName(key: unknown): boolean {
  return typeof key === "string" || typeof key === "number";
}

function pathOf(names: readonly string[]): string {
  return names.reduce((path, name) =>
    name.startsWith("[") ? `${path}${name}` : `${path}.${name}`,
  );
}
