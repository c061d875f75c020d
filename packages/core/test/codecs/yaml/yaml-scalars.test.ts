import { deepStrictEqual } from "node:assert/strict";
import { toYaml } from "@typekube/core";
import { codecs } from "@typekube/core/internal";
import { failure, thrown } from "@typekube/test-support/failure";
import { seededRandom } from "@typekube/test-support/seeded-random";
import { CORE_SCHEMA, JSON_SCHEMA, load, YAML11_SCHEMA } from "js-yaml";
import { describe, expect, it } from "vitest";
import { nastyPieces, nastyStrings } from "../../helpers/nasty-strings.js";

const { yaml } = codecs;
const schemas = { "YAML 1.1": YAML11_SCHEMA, "YAML 1.2": CORE_SCHEMA, JSON: JSON_SCHEMA };
const generated = 5000;

const decode = (text: string) => yaml.decode(Buffer.from(text));

/** Asserts that our decoder and readers of both YAML versions read the value back unchanged. */
async function expectReadBack(value: unknown): Promise<void> {
  const bytes = await yaml.encode(value);
  deepStrictEqual(await yaml.decode(bytes), value);
  const text = Buffer.from(bytes).toString();
  for (const [name, schema] of Object.entries(schemas)) {
    deepStrictEqual(load(text, { schema }), value, `${name}: ${JSON.stringify(text)}`);
  }
}

describe("ALT10: readers of YAML 1.1 and 1.2 read a string back unchanged", () => {
  it.each(nastyStrings.map((text) => [text]))(
    "YAML readers of both versions return the encoded string %j",
    async (text) => {
      await expectReadBack(text);
      await expectReadBack({ [text]: text });
      await expectReadBack([text, [text], { a: [text, { [text]: [text] }] }]);
    },
  );

  it(`${generated} strings made of such pieces`, async () => {
    const random = seededRandom(20_261_121);
    const piece = () => nastyPieces[Math.floor(random() * nastyPieces.length)] ?? "";
    const text = () => Array.from({ length: 1 + Math.floor(random() * 4) }, piece).join("");
    let quoted = 0;
    for (let i = 0; i < generated; i++) {
      const [key, value] = [text(), text()];
      await expectReadBack({ [key]: value, list: [value, { [value]: key }] });
      quoted += Buffer.from(await yaml.encode(value))
        .toString()
        .startsWith('"')
        ? 1
        : 0;
    }
    console.log(`YAML texts: ${generated} read back by 4 readers, ${quoted} had to be quoted`);
  });

  it("writes ordinary strings without quotes", () => {
    const plain = [
      ..."nginx:1.25 registry.k8s.io/pause:3.9 100m 2Gi 10.0.0.1 apps/v1 kube-system".split(" "),
      "two words, and more",
      "/bin/sh -c",
    ];
    expect(toYaml(plain)).toBe(plain.map((text) => `- ${text}\n`).join(""));
  });

  it("writes strings of several lines as blocks where that loses nothing", () => {
    const data = { a: "#!/bin/sh\nset -e\n\texit 1\n", b: "x\n\n y", c: "z\n\n\n", d: " x\ny" };
    expect(toYaml({ data })).toBe(
      'data:\n  a: |\n    #!/bin/sh\n    set -e\n    \texit 1\n  b: |-\n    x\n\n     y\n  c: |+\n    z\n\n\n  d: " x\\ny"\n',
    );
  });
});

describe("numbers", () => {
  it.each([
    0,
    -0,
    1,
    -1,
    1.5,
    -1e-7,
    1e21,
    -1.5e300,
    5e-324,
    Number.MAX_VALUE,
    2 ** 53 - 1,
    0.1 + 0.2,
  ])("all readers read %s back unchanged", async (value) => {
    await expectReadBack({ value });
  });

  it.each([2n ** 53n + 1n, -(2n ** 63n), 2n ** 64n - 1n, 10n ** 30n])(
    "N21: writes %s with all its digits",
    async (value) => {
      expect(toYaml({ value })).toBe(`value: ${value}\n`);
      deepStrictEqual(await decode(toYaml({ value })), { value });
    },
  );

  it("an integer beyond 2^53 keeps its digits and decodes as bigint, beyond 2^63 as a number, as in JSON", async () => {
    for (const codec of [codecs.json, yaml]) {
      deepStrictEqual(await codec.decode(await codec.encode([2 ** 60, -1e18, 1e20])), [
        1_152_921_504_606_847_000n,
        -(10n ** 18n),
        1e20,
      ]);
    }
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    "rejects %s, which YAML cannot carry into JSON",
    async (value) => {
      expect((await failure(yaml.encode({ a: [value] }))).code).toBe("InvalidArgument");
    },
  );

  it.each([".inf", "-.Inf", "+.INF", ".nan"])(
    "rejects %s, which JSON cannot have",
    async (text) => {
      const error = await failure(decode(`a: 1\nb: ${text}\n`));
      expect([error.code, error.message]).toEqual(["Decode", expect.stringContaining("line 2")]);
    },
  );
});

describe("values without a YAML form", () => {
  it.each(["\ud800", "a\udc00b", "\udc00\ud800"])("rejects a lone surrogate: %j", async (text) => {
    const escaped = JSON.stringify(text);
    expect((await failure(decode(`a: ${escaped}`))).code).toBe("Decode");
  });

  it("rejects values that contain themselves, nest too deep or are not JSON", async () => {
    const circular: Record<string, unknown> = {};
    circular["self"] = [circular];
    for (const value of [undefined, () => 1, Symbol("x"), circular]) {
      expect((await failure(yaml.encode(value))).code).toBe("InvalidArgument");
    }
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) {
      deep = [deep];
    }
    expect((await thrown(() => toYaml(deep))).code).toBe("InvalidArgument");
  });

  it("accepts the same object twice", async () => {
    const twice = { a: 1 };
    deepStrictEqual(await decode(toYaml([twice, { twice }])), [twice, { twice }]);
  });
});

it("omits and converts the same values as JSON", () => {
  const value = {
    gone: undefined,
    run: () => 1,
    at: new Date(0),
    list: [undefined, null, () => 1],
    empty: { gone: undefined },
    none: [],
  };
  expect(toYaml(value)).toBe(
    'at: "1970-01-01T00:00:00.000Z"\nempty: {}\nlist:\n- null\n- null\n- null\nnone: []\n',
  );
});

describe("plain keys get the names that kubectl and servers give them", () => {
  it.each([
    ["yes NO 010 0x1F 1_0", ["true", "false", "8", "31", "10"]],
    ["1.10 1e3 1e39 1.0", ["1.1", "1000", ".inf", "1"]],
    [".inf +.Inf -.INF .NaN", [".inf", "-.inf", ".nan"]],
    ["9223372036854775807 -9223372036854775808", ["9223372036854775807", "-9223372036854775808"]],
    [
      "18446744073709551616 -9223372036854775809 123456789012345678901234567890",
      ["1.8446744e+19", "-9.223372e+18", "1.2345679e+29"],
    ],
  ])("the keys %s get the names of a server", async (keys, expected) => {
    const names = new Set<string>();
    for (const key of keys.split(" ")) {
      const value = (await decode(`${key}: 1\n`)) as object;
      names.add(Object.keys(value).join());
    }
    expect([...names]).toEqual(expected);
  });

  it.each(["~", "null", "9223372036854775808", "0xFFFFFFFFFFFFFFFF"])(
    "rejects %s as a key and names its line",
    async (key) => {
      const error = await failure(decode(`a: 1\n${key}: 1\n`));
      expect([error.code, error.message]).toEqual(["Decode", expect.stringContaining("line 2")]);
    },
  );

  it.each(["! <<", "!!merge <<", "<<"])(
    "the key %s merges the mapping into its parent",
    async (key) => {
      expect(await decode(`a: {b: 1, ${key}: {c: 2}}\n`)).toEqual({ a: { b: 1, c: 2 } });
    },
  );

  it.each(["'<<'", "!!str <<", "!<tag:yaml.org,2002:str> <<"])(
    "the quoted or tagged key %s is an ordinary key",
    async (key) => {
      expect(await decode(`a: {b: 1, ${key}: {c: 2}}\n`)).toEqual({ a: { b: 1, "<<": { c: 2 } } });
    },
  );
});

it("a line without U+2028 in a block scalar that has one takes linear time", async () => {
  const line = "y".repeat(400_000);
  const before = process.cpuUsage();
  const read = await decode(`a: |\n  x\u2028\n  ${line}\n`);
  // Took more than five minutes when each character started another search.
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(3_000);
  expect(read).toEqual({ a: `x\u2028\n${line}\n` });
});

describe("plain scalars have the values that kubectl and servers read", () => {
  // Values as read by sigs.k8s.io/yaml 1.6.
  it.each([
    ["y Y yes on True", [true, true, true, true, true]],
    ["n N no OFF false", [false, false, false, false, false]],
    ["~ null Null NULL", [null, null, null, null]],
    ["010 0o17 0O7 08 0777 00", [8, 15, 7, 8, 511, 0]],
    ["0x10 0X1F -0x1 0b11 0B1 -0b11 +0b11", [16, 31, -1, 3, 1, -3, 3]],
    ["1_000 1__0_ _1 1_0.5_1 ._5", [1000, 10, "_1", 10.51, "._5"]],
    [".1_0 .1__0 .1_ .5e1_0", [0.1, ".1__0", ".1_", 5e9]],
    ["1e3 1E+3 .5 5. +.5 -.5e1 -0 1.0", [1000, 1000, 0.5, 5, 0.5, -5, 0, 1]],
    [
      "1e400 0x 0xFFFFFFFFFFFFFFFFFF 1:30 12:30:45",
      ["1e400", "0x", "0xFFFFFFFFFFFFFFFFFF", "1:30", "12:30:45"],
    ],
    ["2001-01-01 2001-01-01T00:00:00Z = <<", ["2001-01-01", "2001-01-01T00:00:00Z", "=", "<<"]],
    ["18446744073709551615 -9223372036854775808", [18446744073709551615n, -9223372036854775808n]],
    ["0777777777777777777777777", [7.777777777777778e23]],
  ])("the scalars %s have the values of a server", async (scalars, expected) => {
    const text = scalars.split(" ").map((scalar) => `- ${scalar}\n`);
    deepStrictEqual(await decode(text.join("")), expected);
  });

  it.each([
    ["y: 1", { true: 1 }],
    ["010: 1", { 8: 1 }],
    ["1.10: 1", { "1.1": 1 }],
    ["1e6: 1", { "1e+06": 1 }],
    ["1000000: 1", { 1000000: 1 }],
    ["0.00001: 1", { "1e-05": 1 }],
    ["-0.0: 1", { "-0": 1 }],
    ["'y': 1", { y: 1 }],
    ["9007199254740993: 1", { "9007199254740993": 1 }],
    ["2001-01-01: 1", { "2001-01-01": 1 }],
  ])("a plain key has the name that a server reads: %s", async (text, expected) => {
    deepStrictEqual(await decode(text), expected);
  });

  it.each(["null: 1", "~: 1", ": 1", "? [a]\n: 1", "? {a: 1}\n: 1", "{[a]: 1}"])(
    "rejects what cannot be a key in JSON: %j",
    async (text) => {
      expect((await failure(decode(text))).message).toContain("a key is neither");
    },
  );

  it.each([
    ["!!str 1", "1"],
    ["! 1", "1"],
    ["!!int '5'", 5],
    ["!!float 1", 1],
    ["!!bool yes", true],
    ["!!null ''", null],
    ["!!timestamp 2001-01-01", "2001-01-01"],
    ["!<tag:yaml.org,2002:str> 1", "1"],
    ["!!binary aGk=", "hi"],
    ["!!binary |\n  aG\n  k=\n", "hi"],
    ["!!binary aP/wkIBi", "h\ufffd\ufffd\ufffd\ufffdb"],
    ["!!map {}", {}],
    ["!!seq []", []],
  ])("reads a value with the tag: %s", async (text, expected) => {
    deepStrictEqual(await decode(`a: ${text}`), { a: expected });
  });

  it.each([
    "!!int x",
    "!!bool 1",
    "!!binary a b=",
    "!!binary aGk",
    "!!int 1.0",
    "!!int 1e3",
    "!!int 18446744073709551616",
    "!!binary YQ=",
    "!local x",
    "!!map []",
    "!!js/undefined ''",
  ])("rejects tags that are unknown or do not match: %s", async (text) => {
    expect((await failure(decode(`a: ${text}`))).code).toBe("Decode");
  });
});

describe("line breaks of YAML 1.1, which servers write unescaped", () => {
  // Values that sigs.k8s.io/yaml 1.6 reads from these texts.
  it.each([
    ["'a\u2028  b'\n", "a\u2028b"],
    ["'\u2028'\n", "\u2028"],
    ["|-\n  a\n\u2028  b\n", "a\n\u2028b"],
    ["|-\n  a  b\n   c\u2028   d\n", "a  b\n c\u2028 d"],
    ["- |2-\n\u2028   x\n   y\n", ["\u2028 x\n y"]],
    ["|\n  0o7\n  %\u2028", "0o7\n%\u2028"],
  ])("reads the line break U+2028 in %j as content", async (text, expected) => {
    deepStrictEqual(await decode(text), expected);
  });

  it("the key after such a block is not part of it", async () => {
    const text = "a: |\n  0o7\n  %\u2028b:\n- 'x\u2028  y'\n- - |2\n\n     z\u2029c: 1\n";
    deepStrictEqual(await decode(text), {
      a: "0o7\n%\u2028",
      b: ["x\u2028y", ["\n z\u2029"]],
      c: 1,
    });
  });
});

describe("a block scalar that ends the body without a line break gets none, as on a server", () => {
  it.each([
    ["a: |\n  b", "b"],
    ["a: |\n  b\n  c", "b\nc"],
    ["a: >\n  b\n  c", "b c"],
    ["a: |+\n  b", "b"],
    ["a: |+\n  b\n\n", "b\n\n"],
    ["a: |-\n  b", "b"],
    ["a: |\r\n  b\r\n  c", "b\nc"],
    ["a: |\n  b\n   ", "b\n "],
    ["a: |\n  b\n", "b\n"],
  ])("reads the block scalar %j without an added line break", async (text, expected) => {
    deepStrictEqual(await decode(text), { a: expected });
  });
});
