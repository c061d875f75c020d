/** Constructs the plain objects of one type. */
export type PlainConstructor = new () => Record<string, unknown>;

/** Number of fields for which V8 reserves space inside of an object by default. */
const roomOfItself = 8;

/**
 * Returns a new function per call: V8 learns per constructor how many properties its objects have, starting from the
 * assignments that it sees in the body. They never run; without them the objects of large types would keep half of
 * their fields in a second block of memory. The prototype is `Object.prototype`, so callers see plain objects.
 *
 * @param fields - approximate number of properties of the objects.
 */
export function plainConstructor(fields: number): PlainConstructor {
  const never = false as boolean;
  function small() {}
  function large(this: Record<string, unknown>) {
    if (never) {
      this["a"] = 0;
      this["b"] = 0;
      this["c"] = 0;
      this["d"] = 0;
      this["e"] = 0;
      this["f"] = 0;
      this["g"] = 0;
      this["h"] = 0;
      this["i"] = 0;
      this["j"] = 0;
      this["k"] = 0;
      this["l"] = 0;
    }
  }
  const plain = fields > roomOfItself ? large : small;
  plain.prototype = Object.prototype;
  return plain as unknown as PlainConstructor;
}
