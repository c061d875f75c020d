/** Flow collections and quoted texts that kubectl reads and YAML 1.2 forbids or reads differently: title, YAML, value. */
export const flowCollections: readonly (readonly [string, string, unknown])[] = [
  ["a ] in the column of its key", "a: [\n  x,\n]\nb: 1\n", { a: ["x"], b: 1 }],
  ["a } in the column of its key", "a: {\n  x: 1\n}\nb: 1\n", { a: { x: 1 }, b: 1 }],
  ["a } left of its key", "s:\n  a: {\n    x: 1\n}\n", { s: { a: { x: 1 } } }],
  ["items at column 0", "a: [x,\nv]\n", { a: ["x", "v"] }],
  ["keys at column 0", 'a: {"x": 1,\n"v": {"z": [1,\n2]}}\n', { a: { x: 1, v: { z: [1, 2] } } }],
  ["a plain scalar that goes on at column 0", "a: [x\nv, z\n\nw]\n", { a: ["x v", "z\nw"] }],
  ["a quoted text that goes on at column 0", "a: [\"x\nv\", 'z\n\nw']\n", { a: ["x v", "z\nw"] }],
  ["comments between items", "a: [x, # one ]\nv, #two [\n]\n", { a: ["x", "v"] }],
  ["a tab inside of braces", "a: {\tx: 1,\tv: 2\t}\n", { a: { x: 1, v: 2 } }],
  ["a line of tabs", "a: [\n\t\tx,\n\t\tv]\n", { a: ["x", "v"] }],
  ["a tab before a collection", "a:\t[x]\n", { a: ["x"] }],
  ["CRLF", "a: [\r\nx\r\n]\r\nb: 1\r\n", { a: ["x"], b: 1 }],
  ["in items of a sequence", "a:\n- [\n  x\n]\n- b: {\nc: 1\n}\n", { a: [["x"], { b: { c: 1 } }] }],
  ["with an anchor and a tag", "a: &x !!seq [\n1\n]\nb: *x\n", { a: [1], b: [1] }],
  [
    "an address that ends in colons",
    "a: [1.2.3.4, 2001:db8::]\n",
    { a: ["1.2.3.4", "2001:db8::"] },
  ],
  ["a word that ends in a colon", "a: [x:, v:]\n", { a: ["x:", "v:"] }],
  ["a colon before a comma in braces", "a: {x:, v: 1}\n", { a: { "x:": null, v: 1 } }],
  [
    "a quoted key without a blank behind it",
    'a: {"x":[1],"v":{"z":2}}\n',
    { a: { x: [1], v: { z: 2 } } },
  ],
  [
    "a quoted text outside of them, at column 0",
    "a: \"x\nv\"\nb: 'z\nw'\n",
    { a: "x v", b: "z w" },
  ],
];
