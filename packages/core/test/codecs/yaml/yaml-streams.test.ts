import { deepStrictEqual } from "node:assert/strict";
import { inspect } from "node:util";
import { toYaml } from "@typekube/core";
import { codecs } from "@typekube/core/internal";
import { chunksOf, everySplit, flat } from "@typekube/test-support/bytes";
import { failure } from "@typekube/test-support/failure";
import { configMapItems, configMaps, readList } from "@typekube/test-support/lists";
import { describe, expect, it } from "vitest";

const { yaml } = codecs;

describe("YAML lists", () => {
  it("CHK13: are one part, whose items have kind and apiVersion", async () => {
    const bytes = await yaml.encode(configMaps);
    for (const source of everySplit(bytes).slice(0, 50)) {
      const { items, ...rest } = await readList(yaml, source);
      deepStrictEqual(items, configMapItems);
      expect(rest).toEqual({
        apiVersion: "v1",
        kind: "ConfigMapList",
        metadata: { resourceVersion: "42" },
      });
    }
  });

  it.each(["items: null", "items: []"])("a list without items is empty: %s", async (items) => {
    const list = await readList(yaml, chunksOf(`kind: PodList\napiVersion: v1\n${items}\n`));
    expect(list.items).toEqual([]);
  });

  it.each(["kind: Pod\napiVersion: v1\n", "a", "[]", "null", "5"])(
    "rejects what is not a list with a Decode error: %j",
    async (text) => {
      const error = await failure(readList(yaml, chunksOf(text)));
      expect([error.code, error.message]).toEqual(["Decode", expect.stringContaining("list")]);
    },
  );

  it.each(["[null]", "[a]", "[[]]", "[{}, 1]"])(
    "rejects items that are not objects with a Decode error: %s",
    async (items) => {
      const error = await failure(readList(yaml, chunksOf(`kind: PodList\nitems: ${items}\n`)));
      expect(error.code).toBe("Decode");
    },
  );

  it("rejects a Status with the error it represents", async () => {
    const status = {
      kind: "Status",
      apiVersion: "v1",
      status: "Failure",
      reason: "NotFound",
      code: 404,
    };
    const error = await failure(readList(yaml, chunksOf(await yaml.encode(status))));
    expect(error.code).toBe("NotFound");
  });

  it("are limited by maxBodyBytes", async () => {
    const options = { limits: { maxBodyBytes: 100 } };
    const error = await failure(readList(yaml, chunksOf(await yaml.encode(configMaps)), options));
    expect([error.code, error.message]).toEqual([
      "TooLarge",
      expect.stringContaining("maxBodyBytes"),
    ]);
  });
});

describe("YAML watches, with one document per event", () => {
  const events = [
    { type: "ADDED", object: { kind: "ConfigMap", apiVersion: "v1", data: { a: "---\n...\nb" } } },
    { type: "BOOKMARK", object: { kind: "ConfigMap", apiVersion: "v1" } },
    { type: "DELETED", object: { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "a" } } },
  ];
  const encoded = async () =>
    Buffer.concat(await Promise.all(events.map((event) => yaml.encodeWatchEvent(event))));

  it("yields the same events, cut at every byte", async () => {
    for (const source of everySplit(await encoded())) {
      deepStrictEqual(await flat(yaml.decodeWatch(source)), events);
    }
  });

  it("yields an event before the next one arrives", async () => {
    const seen: unknown[] = [];
    async function* source() {
      for (const event of events) {
        yield await yaml.encodeWatchEvent(event);
        expect(seen.length).toBe(events.indexOf(event) + 1);
      }
    }
    for await (const group of yaml.decodeWatch(source())) {
      seen.push(...group);
    }
    deepStrictEqual(seen, events);
  });

  it("N8: an invalid event does not suppress the valid events before it", async () => {
    const event = { type: "ADDED", object: { metadata: { name: "a" } } };
    const good = Buffer.from(await yaml.encodeWatchEvent(event)).toString();
    for (const bad of ["type: ADDED\n", "a: [\n"]) {
      const seen: unknown[] = [];
      const reading = (async () => {
        for await (const events of yaml.decodeWatch(chunksOf(`${good}${good}${bad}---\n${good}`))) {
          seen.push(...events);
        }
      })();
      expect(await failure(reading)).toMatchObject({ code: "Decode" });
      expect(seen).toEqual([event, event]);
    }
  });

  it.each(["type: ADDED\n", "type: 1\nobject: {}\n", "- a\n", "type: ADDED\nobject: [a\n", "x"])(
    "rejects what is not an event with a Decode error that names its document: %j",
    async (text) => {
      const source = chunksOf(await encoded(), text);
      const error = await failure(flat(yaml.decodeWatch(source)));
      expect([error.code, error.message]).toEqual([
        "Decode",
        expect.stringContaining("document 4"),
      ]);
    },
  );

  it("limits an event to maxObjectBytes, whole or still arriving", async () => {
    const options = { limits: { maxObjectBytes: 40 } };
    for (const source of [
      chunksOf(await encoded()),
      chunksOf("type: ADDED\nobject:\n", `  a: ${"x".repeat(50)}`),
    ]) {
      const error = await failure(flat(yaml.decodeWatch(source, options)));
      expect([error.code, error.message]).toEqual([
        "TooLarge",
        expect.stringContaining("maxObjectBytes"),
      ]);
    }
  });
});

describe("managedFields: false in YAML", () => {
  const metadata = { name: "a", managedFields: [{ manager: "kubectl" }] };
  const object = { kind: "ConfigMap", apiVersion: "v1", metadata };
  const shown = { ...object, metadata: { name: "a" } };
  const options = { managedFields: false };

  it("drops them from objects, items and events", async () => {
    deepStrictEqual(await yaml.decode(await yaml.encode(object), options), shown);
    const list = { kind: "ConfigMapList", apiVersion: "v1", items: [object] };
    const { items } = await readList(yaml, chunksOf(await yaml.encode(list)), options);
    deepStrictEqual(items, [shown]);
    const event = await yaml.encodeWatchEvent({ type: "ADDED", object });
    deepStrictEqual(await flat(yaml.decodeWatch(chunksOf(event), options)), [
      { type: "ADDED", object: shown },
    ]);
  });

  it("SSA43: toYaml omits them by default, and does not change the object", async () => {
    const text = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n";
    expect(toYaml(object)).toBe(text);
    expect(toYaml(object, { managedFields: true })).toBe(
      text.replace("  name", "  managedFields:\n  - manager: kubectl\n  name"),
    );
    expect(toYaml({ kind: "List", items: [object] })).not.toContain("managedFields");
    expect(object.metadata.managedFields).toHaveLength(1);
  });
});

describe("N34: errors state the place of a problem in a YAML body without showing the body", () => {
  it.each([
    ["a: hunter2\nb: 'hunter2\n", "line 3, column 1"],
    ["a: 1\n b: hunter2\n", "line 2, column 3"],
    ["hunter2: 1\nhunter2: 2\n", "line 2, column 1"],
    ["a: *hunter2\n", "line 1, column 4"],
    ["a: !hunter2 x\n", "line 1, column 4"],
    ["a: !hun!ter2 x\n", "line 1, column "],
    ["a: !<hunter2 ^> x\n", "line 1, column "],
    ["%TAG !a! hunter2\n---\na: !b!hunter2 x\n", "line 3, column "],
    ["a: !!int hunter2\n", "line 1, column 4"],
    ["a: &hunter2 [*hunter2]\n", "line 1, column 14"],
    ["? [hunter2]\n: 1\n", "line 1, column 4"],
    ['a: "hunter2\\q"\n', "line 1, column "],
    ["\r\na: 1\r\n\r\nb: {hunter2\r\n", "line 5, column 1"],
    ["a: hunter2\u0007\n", "line 1, column 11"],
    ["a: 1\n--- # hunter2\nb: 2\n", "line 1"],
    ["# hunter2", "line 1"],
  ])("the error for %j states the place and shows no content", async (body, place) => {
    const error = await failure(yaml.decode(Buffer.from(body)));
    expect([error.code, error.message]).toEqual([
      "Decode",
      expect.stringContaining(`(document 1, ${place}`),
    ]);
    expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/hunter2|ter2/);
  });

  it("reports an empty body as empty", async () => {
    expect((await failure(yaml.decode(Buffer.alloc(0)))).message).toContain("empty");
  });

  it("does not show a body that is not UTF-8", async () => {
    const error = await failure(yaml.decode(Buffer.from("a: hunter2 \xff\n", "latin1")));
    expect(error.message).toContain("(document 1, starting at line 1)");
    expect(inspect(error)).not.toContain("hunter2");
  });
});
