import { KubeError, parseManifests, type Status } from "@typekube/core";
import { type Codec, codecs, errorFromStatus } from "@typekube/core/internal";
import { chunksOf, flat } from "@typekube/test-support/bytes";
import { failure } from "@typekube/test-support/failure";
import { readList } from "@typekube/test-support/lists";
import { describe, expect, it } from "vitest";

/** A value of each JSON type. */
const values: readonly unknown[] = [
  null,
  true,
  0,
  -1.5,
  9007199254740993n,
  "",
  "List",
  "x",
  [],
  [null],
  [1],
  [[]],
  [{}],
  {},
  { a: 1 },
  { kind: 1, metadata: 1, items: [{}] },
];

const listFields = ["kind", "apiVersion", "metadata", "items"] as const;
const goodList = {
  kind: "PodList",
  apiVersion: "v1",
  metadata: { resourceVersion: "1" },
  items: [{ metadata: { name: "a", managedFields: [{}] } }],
};

function* lists(): Iterable<object> {
  for (const field of listFields) {
    for (const value of values) {
      yield { ...goodList, [field]: value };
      // Both are malformed: the decoder fills in an item's fields from the list.
      yield { [field]: value, items: [{}] };
    }
  }
  for (const value of values) {
    yield { ...goodList, metadata: { resourceVersion: value } };
    yield { ...goodList, metadata: { continue: value } };
    yield { ...goodList, items: [{ metadata: value }, { metadata: { managedFields: value } }] };
    yield { ...goodList, items: [{ kind: value, apiVersion: value }] };
  }
}

function* events(): Iterable<object> {
  for (const value of values) {
    yield { type: value, object: { kind: "Pod" } };
    for (const type of ["ADDED", "ERROR", "BOOKMARK"]) {
      yield { type, object: value };
      yield { type, object: { kind: value, apiVersion: value, metadata: value } };
    }
    yield { type: "ADDED", object: { metadata: { managedFields: value } } };
  }
}

function* statuses(): Iterable<object> {
  const status = { kind: "Status", apiVersion: "v1", status: "Failure", code: 410 };
  for (const value of values) {
    for (const field of ["status", "message", "reason", "code", "details", "metadata"]) {
      yield { ...status, [field]: value };
    }
    for (const field of ["name", "kind", "causes", "retryAfterSeconds"]) {
      yield { ...status, details: { [field]: value } };
    }
    yield { ...status, details: { causes: [{ field: value, message: value, reason: value }] } };
    yield { ...status, __defineGetter__: value, toString: value, constructor: value };
  }
}

/** Runs a read that may fail only with a KubeError. */
async function assertOnlyKubeErrors(read: () => Promise<unknown>, of: unknown): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!(error instanceof KubeError)) {
      expect.fail(`${String(error)} for ${JSON.stringify(of, bigints)}`);
    }
  }
}

const bigints = (_: string, value: unknown) => (typeof value === "bigint" ? `${value}` : value);

/** Codecs without typed tables; protobuf's tables fix the types, except where it holds JSON. */
const untyped: readonly Codec[] = [codecs.json, codecs.cbor, codecs.yaml];

describe.each(untyped)("structural fields of every type, in $name", (codec) => {
  const bothWays = [{ managedFields: true }, { managedFields: false, shareEqual: true }];

  it("a list is read or fails with a KubeError", async () => {
    for (const list of [...lists(), ...statuses()]) {
      const bytes = await codec.encode(list);
      for (const options of bothWays) {
        await assertOnlyKubeErrors(() => readList(codec, chunksOf(bytes), options), list);
        await assertOnlyKubeErrors(() => codec.decode(bytes, options), list);
      }
    }
  });

  it("a watch event is read or fails with a KubeError", async () => {
    for (const event of events()) {
      const bytes = await codec.encode(event);
      for (const options of bothWays) {
        const body = () => chunksOf(bytes, codec.name === "cbor" ? "" : "\n");
        await assertOnlyKubeErrors(() => flat(codec.decodeWatch(body(), options)), event);
      }
    }
  });

  it.each([
    ["kind", { ...goodList, kind: 1 }, "must be a string"],
    ["apiVersion", { ...goodList, apiVersion: {} }, "must be a string"],
    ["metadata", { ...goodList, metadata: "x" }, "must be an object"],
    ["resourceVersion", { ...goodList, metadata: { resourceVersion: 5 } }, "must be a string"],
  ])("the Decode error for a list names its %s", async (field, list, message) => {
    const error = await failure(readList(codec, chunksOf(await codec.encode(list))));
    expect(error.code).toBe("Decode");
    expect(error.message).toContain(field);
    expect(error.message).toContain(message);
  });

  it("null for kind, apiVersion and metadata counts as absent, as in Go", async () => {
    const list = { kind: null, apiVersion: null, metadata: null, items: [{ a: 1 }] };
    const read = await readList(codec, chunksOf(await codec.encode(list)));
    expect(read).toEqual({
      kind: undefined,
      apiVersion: undefined,
      metadata: undefined,
      items: [{ a: 1 }],
    });
  });
});

describe("a Status with fields of every type", () => {
  it("becomes a KubeError whose own fields have the declared types", () => {
    for (const value of statuses()) {
      const error = errorFromStatus(value as Status);
      expect(typeof error.message).toBe("string");
      expect(Number.isFinite(error.retryAfterMs ?? 0)).toBe(true);
      expect(Number.isSafeInteger(error.httpStatus ?? 0)).toBe(true);
      for (const { field = "", message = "", reason = "" } of error.causes) {
        expect([typeof field, typeof message, typeof reason]).toEqual(Array(3).fill("string"));
      }
    }
  });
});

it("a manifest with structural fields of every type is read or fails with a KubeError", async () => {
  for (const manifest of [...lists(), ...statuses()]) {
    const text = Buffer.from(await codecs.json.encode(manifest)).toString();
    await assertOnlyKubeErrors(() => parseManifests(text), manifest);
  }
  const text = '{"kind":"List","apiVersion":"v1","items":["abc"]}';
  expect((await failure(parseManifests(text))).message).toContain("is not an API object");
});
