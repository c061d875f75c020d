import { codecs } from "@typekube/core/internal";
import { chunksOf, flat } from "@typekube/test-support/bytes";
import { failure } from "@typekube/test-support/failure";
import { encodedConfigMaps, readList } from "@typekube/test-support/lists";
import { describe, expect, it } from "vitest";

const { json, protobuf } = codecs;

/** Returns the envelope of an object with the given parts. */
function envelope(kind: string, raw: Uint8Array, contentEncoding = "", contentType = ""): Buffer {
  const field = (tag: number, bytes: Uint8Array) => Buffer.from([tag, bytes.length, ...bytes]);
  const typeMeta = Buffer.concat([field(10, Buffer.from("v1")), field(18, Buffer.from(kind))]);
  return Buffer.concat([
    Buffer.from("k8s\0"),
    field(10, typeMeta),
    field(18, raw),
    field(26, Buffer.from(contentEncoding)),
    field(34, Buffer.from(contentType)),
  ]);
}

const metadata = Buffer.from([10, 3, 10, 1, 97]);
/** Field 99, wire type 0, value 1. */
const unknownVarint = Buffer.from([0x98, 0x06, 1]);
/** Field 99, wire type 2, one byte. */
const unknownBytes = Buffer.from([0x9a, 0x06, 1, 0]);
/** Field 99, wire types 1 and 5. */
const unknownFixed = Buffer.from([0x99, 0x06, 0, 0, 0, 0, 0, 0, 0, 0, 0x9d, 0x06, 0, 0, 0, 0]);

describe("fields missing from the schema tables", () => {
  it.each([unknownVarint, unknownBytes, unknownFixed])(
    "are skipped and reported (%#)",
    async (unknown) => {
      const received: [string, number][] = [];
      const onUnknownField = (message: string, number: number) =>
        void received.push([message, number]);
      const bytes = envelope("ConfigMap", Buffer.concat([unknown, metadata]));
      expect(await protobuf.decode(bytes, { onUnknownField })).toMatchObject({
        metadata: { name: "a" },
      });
      expect(received[0]).toEqual(["core/v1.ConfigMap", 99]);
      expect(await protobuf.decode(bytes)).toMatchObject({ metadata: { name: "a" } });
    },
  );

  it("are reported in nested messages, lists and watches too", async () => {
    const received: string[] = [];
    const options = { onUnknownField: (message: string) => void received.push(message) };
    const nested = Buffer.concat([Buffer.from([10, 6, 10, 1, 97]), unknownVarint]);
    await protobuf.decode(envelope("ConfigMap", nested), options);
    expect(received).toEqual(["meta/v1.ObjectMeta"]);

    const item = Buffer.concat([metadata, unknownVarint]);
    const list = Buffer.concat([Buffer.from([10, 0, 18, item.length]), item, unknownBytes]);
    received.length = 0;
    await readList(protobuf, chunksOf(envelope("ConfigMapList", list)), options);
    expect(received).toEqual(["core/v1.ConfigMap", "ConfigMapList"]);

    const object = envelope("ConfigMap", item);
    const raw = Buffer.concat([Buffer.from([10, object.length]), object]);
    const event = Buffer.concat([Buffer.from([10, 1, 65, 18, raw.length]), raw]);
    received.length = 0;
    await flat(
      protobuf.decodeWatch(chunksOf(Buffer.from([0, 0, 0, event.length]), event), options),
    );
    expect(received).toEqual(["core/v1.ConfigMap"]);
  });

  it("an error thrown by the callback aborts the decoding and does not affect the next one", async () => {
    const stop = new Error("stop");
    const bytes = envelope("ConfigMap", unknownVarint);
    const onUnknownField = () => {
      throw stop;
    };
    await expect(protobuf.decode(bytes, { onUnknownField })).rejects.toBe(stop);
    expect(
      (await readList(protobuf, chunksOf(await encodedConfigMaps("protobuf")))).items,
    ).toHaveLength(3);
  });

  it("a known number with another wire type counts as unknown", async () => {
    const received: number[] = [];
    const bytes = envelope("ConfigMap", Buffer.concat([metadata, Buffer.from([0x20, 1, 0x22, 0])]));
    await protobuf.decode(bytes, { onUnknownField: (_, number) => void received.push(number) });
    expect(received).toEqual([4]);
  });
});

describe("a message that occurs twice, which Go would merge", () => {
  const named = Buffer.from([10, 3, 10, 1, 97]);
  const generated = Buffer.from([10, 3, 18, 1, 98]);
  const data = Buffer.from([18, 4, 10, 0, 18, 0]);
  const immutable = Buffer.from([32, 1]);
  const received = async (...fields: Uint8Array[]) => {
    const messages: [string, number][] = [];
    const onUnknownField = (message: string, number: number) =>
      void messages.push([message, number]);
    const bytes = envelope("ConfigMap", Buffer.concat(fields));
    const object = await protobuf.decode(bytes, { onUnknownField });
    return { object, messages };
  };

  it("is reported, adjacent or apart, so that the object can be read as JSON", async () => {
    for (const fields of [
      [named, generated],
      [named, data, immutable, generated],
    ]) {
      const { object, messages } = await received(...fields);
      expect(messages).toEqual([["core/v1.ConfigMap", 1]]);
      expect(object).toMatchObject({ metadata: { generateName: "b" } });
    }
  });

  it("is not reported when it occurs once, and neither are map entries and scalars", async () => {
    expect((await received(immutable, data, data, named, immutable)).messages).toEqual([]);
  });
});

describe("a scalar that occurs twice", () => {
  const decode = async (kind: string, ...fields: readonly (readonly number[])[]) =>
    protobuf.decode(envelope(kind, Buffer.from(fields.flat())));
  const message = (tag: number, ...fields: readonly (readonly number[])[]) => {
    const content = fields.flat();
    return [tag, content.length, ...content];
  };

  it.each([
    ["a string", message(10, [10, 1, 97], [10, 0]), undefined],
    ["a string between other fields", message(10, [10, 1, 97], [26, 1, 98], [10, 0]), undefined],
    ["a string that is set again", message(10, [10, 1, 97], [10, 0], [10, 1, 98]), "b"],
  ])("keeps the last value of a repeated scalar: %s", async (_, metadataField, name) => {
    const { metadata: decoded } = (await decode("ConfigMap", metadataField)) as {
      metadata: { name?: string };
    };
    expect(decoded.name).toBe(name);
    expect(Object.hasOwn(decoded, "name")).toBe(name !== undefined);
  });

  it("takes the last number or boolean of a pod, too", async () => {
    // PodSpec: 11 hostNetwork; Container: 6 ports; ContainerPort: 2 hostPort, 3 containerPort.
    const port = message(50, [16, 80], [24, 81], [16, 0]);
    const container = message(18, [10, 1, 99], port);
    const spec = message(18, container, [88, 1], [88, 0]);
    const { spec: decoded } = (await decode("Pod", spec)) as {
      spec: { hostNetwork?: boolean; containers: { ports: object[] }[] };
    };
    expect(decoded).not.toHaveProperty("hostNetwork");
    expect(decoded.containers[0]?.ports).toEqual([{ containerPort: 81 }]);
  });

  it("takes the last value of a message that is inlined", async () => {
    // Container's probes inline their handler; Probe: 1 handler, 2 initialDelaySeconds; ProbeHandler: 3 tcpSocket.
    // EnvVarSource's selectors inline LocalObjectReference: 1 name; SecretKeySelector: 2 key.
    const selector = message(34, message(10, [10, 1, 97]), [18, 1, 107], message(10, [10, 0]));
    const env = message(58, [10, 1, 101], message(26, selector));
    const { spec: decoded } = (await decode("Pod", message(18, message(18, [10, 1, 99], env)))) as {
      spec: { containers: { env: { valueFrom: object }[] }[] };
    };
    expect(decoded.containers[0]?.env[0]?.valueFrom).toEqual({ secretKeyRef: { key: "k" } });
  });
});

describe("a field that is newer than the server", () => {
  const named = Buffer.from([10, 3, 10, 1, 97]);

  it("is absent, as in the server's JSON: the status of a CSINode before 1.37", async () => {
    const typeMeta = (apiVersion: string, kind: string) => {
      const [version, name] = [Buffer.from(apiVersion), Buffer.from(kind)];
      return Buffer.concat([
        Buffer.of(10, version.length),
        version,
        Buffer.of(18, name.length),
        name,
      ]);
    };
    const csiNode = (...fields: readonly Uint8Array[]) => {
      const meta = typeMeta("storage.k8s.io/v1", "CSINode");
      const raw = Buffer.concat([named, ...fields]);
      return Buffer.concat([
        Buffer.from("k8s\0"),
        Buffer.of(10, meta.length),
        meta,
        Buffer.of(18, raw.length),
        raw,
      ]);
    };
    const spec = Buffer.of(18, 0);
    const status = Buffer.of(26, 0);
    expect(await protobuf.decode(csiNode(spec))).not.toHaveProperty("status");
    expect(await protobuf.decode(csiNode(spec, status))).toHaveProperty("status", {});
  });
});

describe("the envelope of an object", () => {
  it("ALT12: holds JSON when its content type is JSON", async () => {
    const inside = { kind: "Widget", apiVersion: "example.com/v1", spec: { n: 9007199254740993n } };
    const bytes = envelope("Widget", await json.encode(inside), "", "application/json");
    expect(await protobuf.decode(bytes)).toEqual(inside);
  });

  it("ALT12: may name protobuf as its content type", async () => {
    const bytes = envelope("ConfigMap", metadata, "", "application/vnd.kubernetes.protobuf");
    expect(await protobuf.decode(bytes)).toMatchObject({ metadata: { name: "a" } });
  });

  it.each([
    ["gzip", ""],
    ["", "application/cbor"],
  ])("ALT12: rejects the encoding %j and the content type %j by name", async (encoding, type) => {
    const error = await failure(protobuf.decode(envelope("ConfigMap", metadata, encoding, type)));
    expect(error.code).toBe("Decode");
    expect(error.message).toContain(`"${encoding || type}"`);
  });

  it.each(["", "k8s", "k9s\0rest", "K8S\0", "{}", "\0k8s"])(
    "ALT13: rejects %j, which is not a protobuf object",
    async (text) => {
      expect((await failure(protobuf.decode(Buffer.from(text)))).code).toBe("Decode");
      expect((await failure(readList(protobuf, chunksOf(text)))).code).toBe("Decode");
    },
  );

  it("the error for a kind that is not built in names the kind", async () => {
    const error = await failure(protobuf.decode(envelope("Widget", metadata)));
    expect(error.message).toContain("unknown kind Widget in v1");
  });

  it("an empty list has empty items, as in JSON", async () => {
    const bytes = await protobuf.encode({
      kind: "PodList",
      apiVersion: "v1",
      metadata: {},
      items: [],
    });
    expect(await protobuf.decode(bytes)).toEqual({
      kind: "PodList",
      apiVersion: "v1",
      metadata: {},
      items: [],
    });
  });
});

describe("rejecting what protobuf would lose, by its path", () => {
  const pod = (spec: object, more: object = {}) => ({
    kind: "Pod",
    apiVersion: "v1",
    spec,
    ...more,
  });

  it.each([
    [pod({}, { extra: 1 }), "Pod.extra"],
    [pod({ futureField: null }), "Pod.spec.futureField"],
    [pod({ containers: [{ name: "a" }, { name: "b", nope: 1 }] }), "Pod.spec.containers[1].nope"],
    [
      pod({ volumes: [{ name: "v", projected: { sources: [{ secret: { x: 1 } }] } }] }),
      "Pod.spec.volumes[0].projected.sources[0].secret.x",
    ],
    [pod({ nodeSelector: { a: 1 } }), 'Pod.spec.nodeSelector["a"]'],
    [pod({ containers: {} }), "Pod.spec.containers"],
    [pod({ containers: "a" }), "Pod.spec.containers"],
    [pod({ hostNetwork: "true" }), "Pod.spec.hostNetwork"],
    [pod({ hostname: 1 }), "Pod.spec.hostname"],
    [pod([]), "Pod.spec"],
    [
      { kind: "Pod", apiVersion: "v1", metadata: { creationTimestamp: "yesterday" } },
      "Pod.metadata.creationTimestamp",
    ],
    [{ kind: "Secret", apiVersion: "v1", data: { a: "not base64!" } }, 'Secret.data["a"]'],
    [{ kind: "Secret", apiVersion: "v1", data: { a: "YQ" } }, 'Secret.data["a"]'],
    [{ kind: "Secret", apiVersion: "v1", data: { a: "Y===" } }, 'Secret.data["a"]'],
    [{ kind: "Secret", apiVersion: "v1", data: { a: "YQ==YQ==" } }, 'Secret.data["a"]'],
    [{ kind: "Secret", apiVersion: "v1", data: { a: "-_8=" } }, 'Secret.data["a"]'],
  ])(
    "the error names the path of a value that protobuf would lose, case %#",
    async (object, path) => {
      const error = await failure(protobuf.encode(object));
      expect(error.code).toBe("InvalidArgument");
      expect(error.rawMessage.startsWith(`${path} `), error.rawMessage).toBe(true);
    },
  );

  it.each([
    undefined,
    null,
    5,
    {},
    { kind: "Pod" },
    { apiVersion: "v1" },
    { kind: "Widget", apiVersion: "v1" },
  ])("rejects %o, which is not an object of a known kind", async (value) => {
    expect((await failure(protobuf.encode(value))).code).toBe("InvalidArgument");
  });

  it("ignores the bits after the last byte of base64, as the server does", async () => {
    const secret = { kind: "Secret", apiVersion: "v1", data: { a: "YR==", b: "YWJ=" } };
    expect(await protobuf.decode(await protobuf.encode(secret))).toMatchObject({
      data: { a: "YQ==", b: "YWI=" },
    });
  });

  it("omits undefined fields, and accepts wrapped base64", async () => {
    const secret = {
      kind: "Secret",
      apiVersion: "v1",
      extra: undefined,
      data: { a: "aGVs\r\nbG8=", b: "" },
    };
    expect(await protobuf.decode(await protobuf.encode(secret))).toMatchObject({
      data: { a: "aGVsbG8=", b: "" },
    });
  });
});
