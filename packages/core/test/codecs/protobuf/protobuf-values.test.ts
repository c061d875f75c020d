import { codecs } from "@typekube/core/internal";
import { chunksOf } from "@typekube/test-support/bytes";
import { readList } from "@typekube/test-support/lists";
import { describe, expect, it } from "vitest";

const { protobuf } = codecs;

/** Encodes a length-delimited field of less than 128 bytes. */
function field(number: number, ...parts: (string | Uint8Array)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  return Buffer.concat([Buffer.of(number * 8 + 2, content.length), content]);
}

function envelope(apiVersion: string, kind: string, ...raw: Uint8Array[]): Buffer {
  return Buffer.concat([
    Buffer.from("k8s\0"),
    field(1, field(1, apiVersion), field(2, kind)),
    field(2, ...raw),
    Buffer.of(0x1a, 0, 0x22, 0),
  ]);
}

// Expected values: encoding/json of what k8s.io/apimachinery 0.37 decodes from these bytes.
describe("N18: protobuf values equal Go's JSON", () => {
  it("the list in a wrapper message is a list, even when empty", async () => {
    const request = {
      kind: "CertificateSigningRequest",
      apiVersion: "certificates.k8s.io/v1",
      metadata: { name: "a" },
      spec: { request: "", signerName: "x", extra: { none: [], some: ["c"] } },
      status: {},
    };
    expect(await protobuf.decode(await protobuf.encode(request))).toEqual(request);
    const resources = {
      kind: "APIResourceList",
      apiVersion: "v1",
      groupVersion: "v1",
      resources: [{ name: "x", singularName: "", namespaced: false, kind: "", verbs: [] }],
    };
    expect(await protobuf.decode(await protobuf.encode(resources))).toEqual(resources);
  });

  it("the list is null when the wrapper itself is absent", async () => {
    const bytes = envelope("v1", "APIResourceList", field(1, "v1"), field(2, field(1, "x")));
    expect(await protobuf.decode(bytes)).toMatchObject({ resources: [{ verbs: null }] });
  });

  it("a map entry without its value has an empty value, without its key an empty key", async () => {
    const capacity = [field(1, field(1, "cpu")), field(1, field(2, field(1, "5")))];
    expect(await protobuf.decode(envelope("v1", "Node", field(3, ...capacity)))).toMatchObject({
      status: { capacity: { cpu: "0", "": "5" } },
    });
    const data = [field(2, field(1, "a")), field(2)];
    expect(await protobuf.decode(envelope("v1", "ConfigMap", ...data))).toMatchObject({
      data: { a: "", "": "" },
    });
    const request = envelope(
      "authorization.k8s.io/v1",
      "SubjectAccessReview",
      field(2, field(5, field(1, "k"))),
    );
    expect(await protobuf.decode(request)).toMatchObject({ spec: { extra: { k: [] } } });
  });

  it.each([
    ["ffffffffffffffff7f", -1],
    ["8080808010", 0],
    ["8180808010", 1],
    ["ffffffffffffffffff01", -1],
    ["80808080f8ffffffff01", -2_147_483_648],
    ["ffffffff0f", -1],
  ])("a 32-bit number is the lower 32 bits of its varint: %s", async (varint, code) => {
    const bytes = envelope("v1", "Status", Buffer.from(`30${varint}`, "hex"));
    expect(((await protobuf.decode(bytes)) as { code?: number }).code ?? 0).toBe(code);
  });

  it.each([
    ["ffffffff07", "1970-01-01T00:00:02.147483Z"],
    ["8094ebdc03", "1970-01-01T00:00:01.000000Z"],
    ["80ec94a3fcffffffff01", "1969-12-31T23:59:59.000000Z"],
    ["ffffffffffffffffff01", "1970-01-01T00:00:00.000000Z"],
  ])("N20: nanoseconds may exceed a second or be negative: %s", async (nanos, text) => {
    const time = field(3, Buffer.from(`10${nanos}`, "hex"));
    const bytes = envelope("coordination.k8s.io/v1", "Lease", field(2, time));
    expect(await protobuf.decode(bytes)).toMatchObject({ spec: { acquireTime: text } });
  });

  it("a List holds objects of any kind, read whole and streamed", async () => {
    const list = {
      kind: "List",
      apiVersion: "v1",
      metadata: {},
      items: [
        { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "a" }, data: { a: "b" } },
        { kind: "Widget", apiVersion: "example.com/v1", spec: { n: 9007199254740993n } },
      ],
    };
    const bytes = await protobuf.encode(list);
    expect(await protobuf.decode(bytes)).toEqual(list);
    expect((await readList(protobuf, chunksOf(bytes))).items).toEqual(list.items);
  });

  it("managedFields: false drops them from the objects of a List, in each encoding", async () => {
    const metadata = { name: "a", managedFields: [{ manager: "kubectl" }] };
    const item = { kind: "ConfigMap", apiVersion: "v1", metadata };
    const list = { kind: "List", apiVersion: "v1", metadata: {}, items: [item] };
    const without = [{ ...item, metadata: { name: "a" } }];
    for (const codec of [codecs.json, codecs.protobuf, codecs.cbor, codecs.yaml]) {
      const bytes = await codec.encode(list);
      const whole = await codec.decode(bytes, { managedFields: false });
      expect((whole as typeof list).items, codec.name).toEqual(without);
      const read = await readList(codec, chunksOf(bytes), { managedFields: false });
      expect(read.items, codec.name).toEqual(without);
      expect(await codec.decode(bytes), codec.name).toEqual(list);
    }
  });
});
