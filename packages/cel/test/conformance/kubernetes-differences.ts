/** Outcome in Kubernetes where cel-spec expects another. */
export interface Difference {
  /** The value, as `%s` of a format or a literal shows it. */
  readonly value?: string;
  /** A part of the problem or failure. */
  readonly problem?: string;
  /** The type. */
  readonly type?: string;
}

/**
 * The cases of cel-spec in which Kubernetes differs, by expression. Each was asked of Kubernetes' own packages; the comparison
 * in test/black-box/cel-language.test.ts repeats it.
 */
export const kubernetesDifferences: ReadonlyMap<string, Difference> = new Map<string, Difference>([
  // Keys that the specification refuses.
  ["{3.3:15.15, 1.0: 5}[1.0]", { value: "5" }],
  ["{null:false}[null]", { value: "false" }],
  ["{true:1,false:2,true:3}[true]", { value: "3" }],
  ["{0: 1, 0u: 2}[0.0]", { value: "2" }],
  // An index that is a constant is checked before the program runs.
  ["dyn({0:1,2:2,5:3}[dyn(b'')]) || true", { problem: "invalid qualifier type: types.Bytes" }],
  ["dyn({0:1,2:2,5:3}[dyn(b'')]) && false", { problem: "invalid qualifier type: types.Bytes" }],
  // A field of a scalar is absent after an optional step.
  ["{'null_key': dyn(null)}.?null_key.invalid.hasValue()", { value: "false" }],
  ["{true: dyn(0)}[?true].absent.hasValue()", { value: "false" }],
  // Kubernetes has version 2 of the library of strings: format shows numbers for people, and offsets may be too large.
  ['"%.6e".format([1052.032911275])', { value: "1.052033×10⁰³" }],
  ['"%e".format([2.71828])', { value: "2.718280×10⁰⁰" }],
  ['"%e".format([double("NaN")])', { value: "   NaN" }],
  ['"%e".format([double("Infinity")])', { value: "     ∞" }],
  ['"%e".format([double("-Infinity")])', { value: "    -∞" }],
  ['"%d".format([double("NaN")])', { problem: "decimal clause can only be used on integers" }],
  ['"%d".format([double("Infinity")])', { problem: "decimal clause can only be used on integers" }],
  [
    '"%d".format([double("-Infinity")])',
    { problem: "decimal clause can only be used on integers" },
  ],
  ['"%f".format([double("Infinity")])', { value: "∞" }],
  ['"%f".format([double("-Infinity")])', { value: "-∞" }],
  [
    '"%s".format([["abc", 3.14, null, [9, 8, 7, 6], timestamp("2023-02-03T23:31:20Z")]])',
    { value: '["abc", 3.140000, null, [9, 8, 7, 6], timestamp("2023-02-03T23:31:20Z")]' },
  ],
  [
    '"%s".format([{"key1": b"xyz", "key5": null, "key2": duration("2h"), "key4": true, "key3": 2.71828}])',
    {
      value: '{"key1":b"xyz", "key2":duration("7200s"), "key3":2.718280, "key4":true, "key5":null}',
    },
  ],
  [
    '"%s".format([{1: "value1", uint(2): "value2", true: double("NaN")}])',
    { value: '{1:"value1", 2:"value2", true:"NaN"}' },
  ],
  ['"%e".format([dyn(2.71828)])', { value: "2.718280×10⁰⁰" }],
  [
    '"%s".format([[double("NaN"), double("Infinity"), double("-Infinity")]])',
    { value: '["NaN", "+Inf", "-Inf"]' },
  ],
  ['"%s".format([dyn([6, 4.2, "a string"])])', { value: '[6, 4.200000, "a string"]' }],
  [
    '"%s".format([{"strKey":"x", 6:duration("422s"), true:42}])',
    { value: '{"strKey":"x", 6:duration("422s"), true:42}' },
  ],
  ["str_var.format([1052.032911275])", { value: "1.052033×10⁰³" }],
  ["'tacocat'.indexOf('a', 30) == -1", { value: "true" }],
  ["'tacocat'.lastIndexOf('a', 30) == -1", { value: "true" }],
  // Kubernetes refuses lists of mixed types; without that check cel-go takes the less specific type, which is null.
  ["[optional.of(1), null][0]", { type: "null" }],
]);
