import { isExpired } from "@typekube/core";
import { codecs, type WireWatchEvent } from "@typekube/core/internal";
import { chunksOf, everySplit, flat, inChunks } from "@typekube/test-support/bytes";
import { failure } from "@typekube/test-support/failure";
import { describe, expect, it } from "vitest";

const { json } = codecs;

const event = (name: string, type = "ADDED"): WireWatchEvent => ({
  type,
  object: { kind: "Pod", apiVersion: "v1", metadata: { name } },
});

const text = (...events: unknown[]) => `${events.map((one) => JSON.stringify(one)).join("\n")}\n`;

describe("JSON watches", () => {
  it.each(["\u2028", "\u2029", "\u0085"])(
    "N6: %j inside an event does not end it",
    async (inside) => {
      const events = [event(`a${inside}b`), event("c")];
      expect(await flat(json.decodeWatch(chunksOf(text(...events))))).toEqual(events);
    },
  );

  it("N6: a bare CR is white space between values and before the newline", async () => {
    const raw =
      '{"type":"ADDED",\r"object":{"kind":"Pod"}}\r\n{"type":"DELETED","object":{"kind":"Pod"}}\n';
    expect((await flat(json.decodeWatch(chunksOf(raw)))).map(({ type }) => type)).toEqual([
      "ADDED",
      "DELETED",
    ]);
  });

  it("N7, WAT2: yields the same events wherever the bytes are split, even inside a character", async () => {
    const events = [event("ä€😀"), event("b", "MODIFIED"), event("c", "BOOKMARK")];
    for (const source of everySplit(Buffer.from(text(...events)))) {
      expect(await flat(json.decodeWatch(source))).toEqual(events);
    }
  });

  it.each([
    ["an object split over two lines", ['{"type":"ADDED"', '"object":{"kind":"Pod"}}']],
    ["two objects on one line", ['{"type":"ADDED","object":{}},{"type":"ADDED","object":{}}']],
    ["a line that closes one array and opens another", ['{"type":"ADDED","object":{}}],[{"a":1}']],
    ["a string split over two lines", ['{"type":"ADDED","object":{"a":"', '"}}']],
  ])("N7: parses each line separately: %s is not an event", async (_, lines) => {
    const [good, later] = [event("a"), event("d")];
    const raw = `${JSON.stringify(good)}\n${lines.join("\n")}\n${JSON.stringify(later)}\n`;
    const seen: WireWatchEvent[] = [];
    const read = async () => {
      for await (const events of json.decodeWatch(chunksOf(raw))) {
        seen.push(...events);
      }
    };
    const error = await failure(read());
    expect(error.code).toBe("Decode");
    expect(seen).toEqual([good]);
  });

  it("skips blank lines between events", async () => {
    const raw = `\n\r\n \t\n${text(event("a"))}\n\n${text(event("b"))}\n`;
    expect(await flat(json.decodeWatch(chunksOf(raw)))).toHaveLength(2);
    expect(await flat(json.decodeWatch(chunksOf()))).toEqual([]);
  });

  it("N8: the last event needs no newline; a truncated one fails after the whole events", async () => {
    const raw = text(event("a"), event("b"));
    expect(await flat(json.decodeWatch(chunksOf(raw.trimEnd())))).toHaveLength(2);
    const seen: unknown[] = [];
    const read = async () => {
      for await (const events of json.decodeWatch(chunksOf(raw.slice(0, -10)))) {
        seen.push(...events);
      }
    };
    expect((await failure(read())).code).toBe("Decode");
    expect(seen).toEqual([event("a")]);
  });

  it.each([
    "garbage",
    "[]",
    "5",
    "null",
    '"ADDED"',
    "{}",
    '{"type":"ADDED"}',
    '{"object":{}}',
    '{"type":1,"object":{}}',
    '{"type":"ADDED","object":null}',
    '{"type":"ADDED","object":"pod"}',
    '{"type":"ADDED","object":[]}',
  ])("N8: rejects the line %s and never skips it", async (line) => {
    expect((await failure(flat(json.decodeWatch(chunksOf(`${line}\n`))))).code).toBe("Decode");
  });

  it.each([1, 7, 1000])(
    "N8: a line that is too long is TooLarge in chunks of %d, with or without its end",
    async (size) => {
      const raw = Buffer.from(text(event("a".repeat(500))));
      const limits = { maxObjectBytes: 400 };
      for (const bytes of [raw, raw.subarray(0, 450)]) {
        const error = await failure(flat(json.decodeWatch(inChunks(bytes, size), { limits })));
        expect(error.code).toBe("TooLarge");
        expect(error.message).toContain("maxObjectBytes");
      }
    },
  );

  it("a line may be as long as the limit", async () => {
    const raw = JSON.stringify(event("a"));
    const limits = { maxObjectBytes: raw.length };
    expect(await flat(json.decodeWatch(chunksOf(`${raw}\n`), { limits }))).toHaveLength(1);
  });

  it("WAT3: passes an event of unknown type on to the caller", async () => {
    expect(await flat(json.decodeWatch(chunksOf(text(event("a", "FOO")))))).toEqual([
      event("a", "FOO"),
    ]);
  });

  it("H29, N9: an ERROR event carries its Status", async () => {
    const status = {
      kind: "Status",
      apiVersion: "v1",
      status: "Failure",
      reason: "Expired",
      code: 410,
    };
    const [error] = await flat(json.decodeWatch(chunksOf(text({ type: "ERROR", object: status }))));
    expect(error).toEqual({ type: "ERROR", object: status });
    expect(isExpired(error?.object)).toBe(false);
  });

  it("decodes an event that it encoded to an equal one", async () => {
    const bytes = await json.encodeWatchEvent(event("a\nb"));
    expect(bytes.at(-1)).toBe(0x0a);
    expect(await flat(json.decodeWatch(chunksOf(bytes)))).toEqual([event("a\nb")]);
  });
});
