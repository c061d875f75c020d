/** Makes the plain objects of one type. */
export type PlainConstructor = new () => Record<string, unknown>;

/** Fields that V8 makes room for inside of an object by itself. */
const roomOfItself = 8;

/**
 * A function of its own per call: V8 learns per constructor how many properties its objects have, beginning with
 * the assignments that it sees in the body. They never run; without them the objects of large types would keep
 * half of their fields in a second piece of memory. The prototype is the plain one, so the objects are plain objects to
 * everybody.
 *
 * @param fields - about how many properties the objects will have.
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
