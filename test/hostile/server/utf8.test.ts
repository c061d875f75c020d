import { codecs } from "@typekube/core/internal";
import { chunksOf, flat } from "@typekube/test-support/bytes";
import { failure } from "@typekube/test-support/failure";
import { readList } from "@typekube/test-support/lists";
import { describe, expect, it } from "vitest";

const { json, cbor, protobuf, yaml } = codecs;

// Go's encoding/json writes these bytes so; compared with Go's own decoders on 60,000 strings.
const texts: readonly (readonly [what: string, hex: string, text: string])[] = [
  ["a byte that begins nothing", "61ff62", "a\ufffdb"],
  ["two bytes of three", "e28241", "\ufffd\ufffdA"],
  ["three bytes of four", "f09f9861", "\ufffd\ufffd\ufffda"],
  ["a longer form than needed", "c08061", "\ufffd\ufffda"],
  ["half a surrogate pair", "eda08061", "\ufffd\ufffd\ufffda"],
  ["a character beyond U+10FFFF", "f4908080", "\ufffd\ufffd\ufffd\ufffd"],
  ["a cut character at the end", "61e282", "a\ufffd\ufffd"],
  ["valid characters around", "c3bcffe282ac80f09f9880", "ü\ufffd€\ufffd😀"],
  ["U+FFFD itself", "efbfbd", "\ufffd"],
];

const field = (number: number, content: Uint8Array) =>
  Buffer.concat([Buffer.of((number << 3) | 2, content.length), content]);

/** Parts of protobuf bodies: type meta, a ConfigMap with a name, and the envelope. */
const typeMeta = (kind: string) =>
  field(1, Buffer.concat([field(1, Buffer.from("v1")), field(2, Buffer.from(kind))]));
const configMap = (name: Uint8Array) => field(1, field(1, name));
const envelope = (kind: string, raw: Uint8Array) =>
  Buffer.concat([Buffer.from("k8s\0"), typeMeta(kind), field(2, raw)]);

/** Returns the same list of three ConfigMaps, the second with this name, in every encoding that servers send. */
function lists(name: Buffer): Readonly<Record<"cbor" | "json" | "protobuf", Buffer>> {
  const item = (bytes: Buffer) =>
    Buffer.concat([Buffer.from('{"metadata":{"name":"'), bytes, Buffer.from('"}}')]);
  const [first, last] = [Buffer.from("first"), Buffer.from("last")];
  const names = [first, name, last];
  const cborText = (bytes: Uint8Array) => Buffer.concat([Buffer.of(0x58, bytes.length), bytes]);
  const cborMap = (key: string, value: Uint8Array) =>
    Buffer.concat([Buffer.of(0xa1), cborText(Buffer.from(key)), value]);
  return {
    json: Buffer.concat([
      Buffer.from('{"kind":"ConfigMapList","apiVersion":"v1","metadata":{},"items":['),
      ...names.flatMap((bytes, i) => [Buffer.from(i === 0 ? "" : ","), item(bytes)]),
      Buffer.from("]}"),
    ]),
    protobuf: envelope(
      "ConfigMapList",
      Buffer.concat(names.map((bytes) => field(2, configMap(bytes)))),
    ),
    cbor: cborMap(
      "items",
      Buffer.concat([
        Buffer.of(0x83),
        ...names.map((bytes) => cborMap("metadata", cborMap("name", cborText(bytes)))),
      ]),
    ),
  };
}

describe("invalid UTF-8 bytes become one U+FFFD each, as in Go", () => {
  it.each(texts)("decodes the bytes as Go does in every encoding: %s", async (_, hex, text) => {
    const bytes = Buffer.from(hex, "hex");
    const encodings = lists(bytes);
    for (const codec of [json, protobuf, cbor]) {
      const list = await readList(codec, chunksOf(encodings[codec.name as "json"]));
      expect(
        list.items.map((item) => (item as { metadata: { name: string } }).metadata.name),
        codec.name,
      ).toEqual(["first", text, "last"]);
    }
    const quoted = Buffer.concat([Buffer.from('{"a":"'), bytes, Buffer.from('"}')]);
    expect(await json.decode(quoted)).toEqual({ a: text });
    const event = Buffer.concat([
      Buffer.from('{"type":"ADDED","object":'),
      quoted,
      Buffer.from("}\n"),
    ]);
    const events = await flat(json.decodeWatch(chunksOf(event, event, event)));
    expect(events.map(({ object }) => object)).toEqual(Array(3).fill({ a: text }));
  });

  it("decodes a key with such bytes too", async () => {
    const key = Buffer.from("61e28241", "hex");
    const object = Buffer.concat([Buffer.from('{"'), key, Buffer.from('":1}')]);
    expect(await json.decode(object)).toEqual({ "a\ufffd\ufffdA": 1 });
    const cborObject = Buffer.concat([Buffer.of(0xa1, 0x44), key, Buffer.of(1)]);
    expect(await cbor.decode(cborObject)).toEqual({ "a\ufffd\ufffdA": 1 });
  });

  it("rejects a CBOR text string with such bytes, which must be UTF-8 in Go too", async () => {
    expect((await failure(cbor.decode(Buffer.from("62e282", "hex")))).code).toBe("Decode");
  });

  it("decodes a million of them as fast as a million characters", async () => {
    const bytes = Buffer.alloc(1_000_000, Buffer.from("61ff", "hex"));
    const body = Buffer.concat([Buffer.from('"'), bytes, Buffer.from('"')]);
    expect((await json.decode(body)) === "a\ufffd".repeat(500_000)).toBe(true);
  });
});

describe("a lone surrogate becomes U+FFFD, as Go stores it", () => {
  const halves = ["\ud800", "a\udc00b", "\udc00\ud800", "\udbff\ud83d\ude00", "\ud83d\ude00\ude00"];
  const stored = ["\ufffd", "a\ufffdb", "\ufffd\ufffd", "\ufffd😀", "😀\ufffd"];

  it.each([json, yaml, cbor, protobuf])(
    "stores U+FFFD for a lone surrogate written in $name",
    async (codec) => {
      const objectOf = (values: readonly string[]) => ({
        kind: "ConfigMap",
        apiVersion: "v1",
        metadata: { name: values[1] },
        data: Object.fromEntries(values.map((value, i) => [`${i}${value}`, value])),
      });
      const bytes = await codec.encode(objectOf(halves));
      expect(await codec.decode(bytes)).toEqual(objectOf(stored));
      // The encoder has replaced it, so no decoder needs to.
      expect(Buffer.from(bytes).toString("utf8")).not.toMatch(/\\ud[89a-f]/i);
    },
  );

  it("when written beside an integer beyond 2^53", async () => {
    const bytes = await json.encode({ a: "\ud800", n: 9007199254740993n });
    expect(Buffer.from(bytes).toString()).toBe('{"a":"\ufffd","n":9007199254740993}');
  });

  it("when read from a JSON escape, but not from text that only resembles one", async () => {
    const text = String.raw`"\ud800 \\ud800 \\\ud800 \uD83D\uDE00 \ud83d\u0041 \udbff\udbff\udfff \u00e9"`;
    const value = "\ufffd \\ud800 \\\ufffd 😀 \ufffdA \ufffd\u{10ffff} é";
    expect(await json.decode(Buffer.from(text))).toBe(value);
    const items = Array(4).fill(`{"metadata":{"name":${text}}}`);
    const body = `{"kind":"XList","apiVersion":"v1","items":[${items.join(",")}]}`;
    const list = await readList(json, chunksOf(body));
    expect(
      list.items.map((item) => (item as { metadata: { name: string } }).metadata.name),
    ).toEqual(Array(4).fill(value));
  });
});
