type Random = () => number;

const scalars: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  1,
  -1,
  0.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.MAX_SAFE_INTEGER,
  2 ** 60,
  9_223_372_036_854_775_807n,
  18_446_744_073_709_551_615n,
  2n ** 70n,
  "",
  "a",
  "é😀",
  "\ud800",
  "10.0.0.1",
  "2024-02-29T12:00:00Z",
  "1h",
  "AQID",
  "__proto__",
  "y".repeat(300),
  new Uint8Array([0, 255]),
  new Date(0),
  new Map([["a", 1]]),
  new Set([1]),
  undefined,
  Symbol("s"),
  () => 1,
];

const keys = ["a", "b", "__proto__", "constructor", "toString", "a-b", "", "0", "é", "length"];

/** Levels of a value that is nested more deeply than the stack has room for. */
const deepLevels = 20_000;

/** Returns a random JavaScript value, among them some that CEL cannot hold. */
export function randomValue(random: Random, depth = 3): unknown {
  if (random() < 0.002) {
    return nested(random() < 0.5);
  }
  const kind = depth <= 0 ? 0 : Math.floor(random() * 4);
  const size = Math.floor(random() * 4);
  switch (kind) {
    case 1:
      return Array.from({ length: size }, () => randomValue(random, depth - 1));
    case 2: {
      const object: object = random() < 0.2 ? Object.create(null) : {};
      for (let index = 0; index < size; index += 1) {
        // As JSON.parse does: `__proto__` becomes a key of its own.
        Object.defineProperty(object, keys[Math.floor(random() * keys.length)] ?? "a", {
          value: randomValue(random, depth - 1),
          configurable: true,
          enumerable: true,
          writable: true,
        });
      }
      return object;
    }
    default:
      return scalars[Math.floor(random() * scalars.length)];
  }
}

function nested(isList: boolean): unknown {
  let value: unknown = 1;
  for (let level = 0; level < deepLevels; level += 1) {
    value = isList ? [value] : { a: value };
  }
  return value;
}
