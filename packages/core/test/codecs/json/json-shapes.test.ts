import { deepStrictEqual } from "node:assert/strict";
import { KubeError } from "@typekube/core";
import { codecs } from "@typekube/core/internal";
import { flat, inChunks } from "@typekube/test-support/bytes";
import { readList } from "@typekube/test-support/lists";
import { seededRandom } from "@typekube/test-support/seeded-random";
import { describe, expect, it } from "vitest";
import { nastyPieces, nastyStrings } from "../../helpers/nasty-strings.js";

const { json } = codecs;

/** Random inputs per test. TYPEKUBE_FUZZ sets a larger number than a quick run has time for. */
const inputCount = Number(process.env["TYPEKUBE_FUZZ"] ?? 5_000);

/** A frequent object, from which the reader learns the shape of the next one. */
const usual = JSON.stringify({
  metadata: { name: "a", labels: { app: "web" }, generation: 1 },
  spec: { on: true, count: 3, ratio: 0.5, none: null, list: [{ a: "b" }, { a: "c" }], deep: {} },
});

const listOf = (texts: readonly string[]) =>
  Buffer.from(
    `{"kind":"XList","apiVersion":"x/v1","metadata":{"resourceVersion":"1"},"items":[${texts.join(",")}]}`,
  );

/** Returns the value of the text from the general JSON parser, and from a list in which it follows objects of its kind. */
async function bothWays(text: string): Promise<{ whole: unknown; listed: unknown }> {
  const bytes = listOf([usual, usual, usual, text, usual, usual]);
  const valueOrCode = async (read: () => Promise<unknown>) => {
    try {
      return await read();
    } catch (error) {
      return (error as KubeError).code;
    }
  };
  const whole = await valueOrCode(
    async () =>
      ((await json.decode(bytes)) as { items: object[] }).items.map((item) => ({
        kind: "X",
        apiVersion: "x/v1",
        ...item,
      })) as unknown,
  );
  const listed = await valueOrCode(
    async () => (await readList(json, inChunks(bytes, 1 << 16))).items,
  );
  return { whole, listed };
}

async function assertSame(text: string): Promise<"Decode" | "value"> {
  const { whole, listed } = await bothWays(text);
  deepStrictEqual(listed, whole, text);
  // deepStrictEqual alone ignores the order of keys.
  expect(JSON.stringify(listed, bigints)).toBe(JSON.stringify(whole, bigints));
  return whole === "Decode" ? "Decode" : "value";
}

const bigints = (_: string, value: unknown) =>
  typeof value === "bigint" ? `${value}n` : Object.is(value, -0) ? "-0" : value;

describe("objects read by the shape of others of their kind", () => {
  it.each([
    ..."0 -0 1 -1 12 999999999999999 1000000000000000 9007199254740991 9007199254740993".split(" "),
    ..."-9007199254740993 18446744073709551616 123456789012345678901234567890 0.5 -0.5e1 1e3".split(
      " ",
    ),
    ..."1E+3 1e-3 1.5e3 1e400 0.1234567890123456789 0e0 5e-324".split(" "),
  ])("reads the number %s as JSON.parse does", async (text) => {
    expect(await assertSame(`{"metadata":{"generation":${text}},"spec":{"list":[${text}]}}`)).toBe(
      "value",
    );
  });

  it.each([
    ..."00 01 -01 - -- +1 1. .5 1e 1e+ 1.e1 0x1 1_0 1-1 1e1.5 NaN Infinity -Infinity".split(" "),
    ..."tru truE nul nulL fals falsE t True nulls trues 'a' undefined".split(" "),
    ...[
      '"',
      '"a',
      '"\\',
      '"\\x"',
      '"\\u12"',
      '"\t"',
      '"\n"',
      '"\u0000"',
      "",
      "{",
      "[",
      "]",
      "}",
      "[1",
      "[1,",
      "[1,]",
    ],
    ...['{"a"}', '{"a":}', '{"a":1,}', "{,}", "{a:1}", "{1:1}", '{"a":1 "b":2}', '{"a":1}}', "[[]"],
  ])("rejects what is not a value: %s", async (text) => {
    expect(await assertSame(`{"metadata":{"name":"a"},"spec":{"on":${text}}}`)).toBe("Decode");
    expect(
      await assertSame(`{"metadata":{"name":"a"},"spec":{"on":true,"list":[${text},2]}}`),
    ).toBe("Decode");
  });

  it.each([
    ["white space anywhere", '{ "metadata" :\n{"name"\t: "a" } , "spec":{"list":[ 1 , 2 ]}}'],
    [
      "keys in another order",
      '{"spec":{"list":[],"on":false},"metadata":{"labels":{},"name":"b"}}',
    ],
    ["a duplicate key", '{"metadata":{"name":"a","name":"b"},"spec":{"on":{"a":1},"on":{"b":2}}}'],
    [
      "keys named like members of Object.prototype",
      '{"metadata":{"__proto__":{"a":1},"constructor":{"b":2},"toString":3}}',
    ],
    ["an empty key", '{"metadata":{"":"a","name":""},"spec":{"":{"":[""]}}}'],
    ["keys with escapes", '{"met\\u0061data":{"n\\"ame":"a","\\\\":"b"},"spec":{"\\u006fn":1}}'],
    ["non-ASCII keys", '{"metadata":{"ключ":"a","鍵":"b","😀":"c"},"spec":{"ключ":1}}'],
    [
      "keys with a common prefix",
      '{"metadata":{"nam":"a","names":"b","name":"c"},"spec":{"o":1,"onn":2}}',
    ],
    ["numeric keys", '{"metadata":{"2":"a","1":"b"},"spec":{"10":1,"9":2}}'],
    ["a different type at each place", '{"metadata":"a","spec":[{"on":{}},[],"",0,null,true]}'],
    ["objects that end early", '{"metadata":{},"spec":{}}'],
    [
      "an apiVersion and kind after the other fields",
      '{"metadata":{"name":"a"},"apiVersion":"y/v1","kind":"Y"}',
    ],
    ["a kind without an apiVersion", '{"metadata":{"name":"a"},"kind":"Y"}'],
    ["text that looks like the next item", '{"metadata":{"name":"},{\\"metadata\\":{"},"spec":{}}'],
    [
      "a nested object that looks like the next item",
      '{"metadata":{"name":"a"},"spec":{"list":[{},{"metadata":{"name":"b"}}]}}',
    ],
  ])("gives the value of JSON.parse: %s", async (_, text) => {
    expect(await assertSame(text)).toBe("value");
    expect(await assertSame(text)).toBe("value");
  });

  it("values nested deeper than the reader's limit", async () => {
    for (const levels of [98, 99, 100, 101, 102, 400]) {
      const nested = (open: string, close: string) => open.repeat(levels) + close.repeat(levels);
      await assertSame(`{"metadata":{},"spec":${nested("[", "]")}}`);
      await assertSame(`{"metadata":{},"spec":${nested('{"a":', "}").replace("}", "0}")}}`);
    }
  });

  it("strings of every kind, each twice", async () => {
    for (const text of [...nastyStrings, ...nastyPieces]) {
      const object = {
        metadata: { name: text, labels: { [text]: text } },
        spec: { list: [text, text] },
      };
      expect(await assertSame(JSON.stringify(object))).toBe("value");
      // Every character escaped, even without need.
      const escaped = [...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
      await assertSame(`{"metadata":{"name":"${escaped.join("")}"},"spec":{}}`);
    }
  });

  it("reads bytes that are not UTF-8 as elsewhere", async () => {
    for (const bad of [
      [0xff],
      [0xc3],
      [0xe2, 0x82],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
    ]) {
      const [before, behind] = ['{"metadata":{"name":"a', 'b"},"spec":{}}'];
      const item = Buffer.concat([Buffer.from(before), Buffer.from(bad), Buffer.from(behind)]);
      const [head, tail] = listOf([usual, usual, "@", usual]).toString().split("@") as [
        string,
        string,
      ];
      const bytes = Buffer.concat([Buffer.from(head), item, Buffer.from(tail)]);
      const whole = (await json.decode(bytes)) as { items: { metadata: object }[] };
      const { items } = await readList(json, inChunks(bytes, 1 << 16));
      deepStrictEqual((items[2] as { metadata: object }).metadata, whole.items[2]?.metadata);
    }
  });

  it(`${inputCount} random objects, valid and invalid`, { timeout: 60_000 }, async () => {
    const random = seededRandom(20_261_123);
    const counts = { value: 0, Decode: 0 };
    for (let round = 0; round < inputCount; round++) {
      const text = randomObject(random, 0);
      const at = Math.floor(random() * text.length);
      const wrong = random() < 0.5;
      const piece = pieces[Math.floor(random() * pieces.length)] as string;
      counts[await assertSame(wrong ? text.slice(0, at) + piece + text.slice(at + 1) : text)]++;
    }
    console.log("random objects behind objects of their kind:", counts);
    expect(counts.value).toBeGreaterThan(inputCount / 3);
    expect(counts.Decode).toBeGreaterThan(inputCount / 6);
  });
});

describe("watch events read by the shape of others of their kind", () => {
  it(`${inputCount} random lines, valid and invalid`, { timeout: 60_000 }, async () => {
    const random = seededRandom(20_261_124);
    const event = (object: string) => `{"type":"MODIFIED","object":${object}}`;
    let values = 0;
    for (let round = 0; round < inputCount; round++) {
      let line = event(randomObject(random, 0));
      if (random() < 0.5) {
        const at = Math.floor(random() * line.length);
        const piece = pieces[Math.floor(random() * pieces.length)] as string;
        line = (line.slice(0, at) + piece + line.slice(at + 1)).replaceAll("\n", " ");
      }
      const whole = await codeOr(async () => eventOf(await json.decode(Buffer.from(line))));
      const bytes = Buffer.from(`${event(usual)}\n${event(usual)}\n${line}\n`);
      const watched = await codeOr(
        async () => (await flat(json.decodeWatch(inChunks(bytes, 999))))[2],
      );
      deepStrictEqual(watched, whole ?? watched, line);
      values += typeof watched === "object" ? 1 : 0;
    }
    console.log("random events behind events of their kind:", values);
    expect(values).toBeGreaterThan(inputCount / 3);
  });
});

async function codeOr(read: () => Promise<unknown>): Promise<unknown> {
  try {
    return await read();
  } catch (error) {
    return error instanceof KubeError ? error.code : error;
  }
}

/** Returns the event; `undefined` when the value is not an event, which other tests cover. */
function eventOf(value: unknown): unknown {
  const { type, object } = (value ?? {}) as { type?: unknown; object?: unknown };
  const isEvent = typeof type === "string" && typeof object === "object" && object !== null;
  return isEvent && !Array.isArray(object) ? { type, object } : undefined;
}

const pieces = [
  ...'{}[],:"\\0123456789-+.eEtfn \t\u0001é',
  '"a":',
  "true",
  "null",
  "],[",
  "},{",
  '"},"',
];
const keys = [
  "metadata",
  "spec",
  "name",
  "on",
  "count",
  "list",
  "a",
  "b",
  "",
  "__proto__",
  "labels",
];

function randomObject(random: () => number, depth: number): string {
  const count = depth === 0 ? 2 : Math.floor(random() * 4);
  const fields = Array.from({ length: count }, (_, i) => {
    const key = depth === 0 ? (i === 0 ? "metadata" : "spec") : pick(random, keys);
    return `${JSON.stringify(key)}:${randomValue(random, depth + 1)}`;
  });
  return `{${fields.join(",")}}`;
}

function randomValue(random: () => number, depth: number): string {
  const draw = random();
  if (draw < 0.35 && depth < 5) {
    return randomObject(random, depth);
  }
  if (draw < 0.5 && depth < 5) {
    const values = Array.from({ length: Math.floor(random() * 4) }, () =>
      randomValue(random, depth + 1),
    );
    return `[${values.join(",")}]`;
  }
  if (draw < 0.75) {
    return JSON.stringify(pick(random, nastyPieces));
  }
  return pick(random, ["true", "false", "null", "0", "-0", "17", "1.5", "1e3", "9007199254740993"]);
}

function pick<T>(random: () => number, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)] as T;
}
