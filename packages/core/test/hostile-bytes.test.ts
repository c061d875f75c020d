import { type Codec, codecs, KubeError } from "@typekube/core";
import { describe, expect, it } from "vitest";
import { goldenObjects, hasCorpus } from "./golden-corpus.js";
import { flat, inChunks } from "./helpers/bytes.js";
import { encodedConfigMaps, readList } from "./helpers/lists.js";
import { mutate, seededRandom } from "./helpers/seeded-random.js";

const { json, protobuf } = codecs;
const mutations = 20_000;

type Decoder = (bytes: Uint8Array) => Promise<unknown>;

const decoders = (codec: Codec, size: number): Record<string, Decoder> => ({
  object: (bytes) => codec.decode(bytes, { managedFields: size % 2 === 0 }),
  list: (bytes) => readList(codec, inChunks(bytes, size)),
  watch: (bytes) => flat(codec.decodeWatch(inChunks(bytes, size))),
});

/** What became of inputs: a value or a KubeError; anything else fails the test. */
class Outcomes {
  readonly counts: Record<string, number> = {};

  async of(decode: Decoder, bytes: Uint8Array): Promise<void> {
    let outcome = "value";
    try {
      await decode(bytes);
    } catch (error) {
      expect(error, Buffer.from(bytes).toString("hex")).toBeInstanceOf(KubeError);
      outcome = (error as KubeError).code;
    }
    this.counts[outcome] = (this.counts[outcome] ?? 0) + 1;
  }
}

const pod = {
  kind: "Pod",
  apiVersion: "v1",
  metadata: {
    name: "web-0",
    generation: 7,
    labels: { app: "web", "": "" },
    creationTimestamp: "2026-01-01T00:00:00Z",
    managedFields: [
      {
        manager: "m",
        operation: "Apply",
        time: "2026-01-01T00:00:00Z",
        fieldsV1: { "f:a": { ".": {} } },
      },
    ],
  },
  spec: {
    activeDeadlineSeconds: 9007199254740993n,
    containers: [
      {
        name: "c",
        image: "nginx",
        resources: { limits: { cpu: "100m" } },
        readinessProbe: { httpGet: { port: "http" }, periodSeconds: 5 },
        livenessProbe: { tcpSocket: { port: 8080 } },
      },
    ],
  },
};

async function inputs(encoding: "json" | "protobuf"): Promise<Record<string, Uint8Array[]>> {
  const codec = codecs[encoding];
  const objects = [await codec.encode(pod)];
  if (hasCorpus) {
    const kinds = /\.(ControllerRevision|Lease|NetworkPolicy|Role|Service)$/;
    const golden = goldenObjects("v1.37.1").filter(({ name }) => kinds.test(name));
    objects.push(...golden.map((object) => object[encoding]));
  }
  const events = [
    { type: "ADDED", object: pod },
    { type: "BOOKMARK", object: { kind: "Pod", apiVersion: "v1" } },
  ];
  return {
    object: objects,
    list: [await encodedConfigMaps(encoding)],
    watch: [Buffer.concat(await Promise.all(events.map((event) => codec.encodeWatchEvent(event))))],
  };
}

describe.each(["json", "protobuf"] as const)(
  "bytes that are not what they should be, in %s",
  (encoding) => {
    it.each(["object", "list", "watch"])(
      "cut at every position, %s decoders give a value or a KubeError",
      async (what) => {
        const outcomes = new Outcomes();
        const decode = decoders(codecs[encoding], 64)[what] as Decoder;
        for (const bytes of (await inputs(encoding))[what]?.slice(0, 1) ?? []) {
          for (let end = 0; end <= bytes.length; end++) {
            await outcomes.of(decode, bytes.subarray(0, end));
          }
        }
        console.log(`cut ${encoding} ${what}: ${JSON.stringify(outcomes.counts)}`);
        expect(outcomes.counts["Decode"]).toBeGreaterThan(0);
      },
    );

    it.each(["object", "list", "watch"])(
      `${mutations} times changed, %s decoders give a value or a KubeError`,
      { timeout: 60_000 },
      async (what) => {
        const outcomes = new Outcomes();
        const random = seededRandom(20_261_121);
        const seeds = (await inputs(encoding))[what] ?? [];
        for (let i = 0; i < mutations; i++) {
          const bytes = mutate(seeds[i % seeds.length] as Uint8Array, random);
          const size = 1 + Math.floor(random() * 4000);
          await outcomes.of(decoders(codecs[encoding], size)[what] as Decoder, bytes);
        }
        console.log(`changed ${encoding} ${what}: ${JSON.stringify(outcomes.counts)}`);
        expect(outcomes.counts["Decode"]).toBeGreaterThan(0);
      },
    );
  },
);

describe("what a protobuf decoder must not be led into", () => {
  const envelope = (raw: readonly number[]) =>
    Buffer.from([
      0x6b,
      0x38,
      0x73,
      0,
      10,
      9,
      10,
      2,
      ...Buffer.from("v1"),
      18,
      3,
      ...Buffer.from("Pod"),
      18,
      raw.length,
      ...raw,
    ]);

  it.each([
    ["a wire type that gogo does not write (start group)", [0x0b]],
    ["a wire type that gogo does not write (end group)", [0x0c]],
    ["the wire type 6", [0x0e]],
    ["the wire type 7", [0x0f]],
    ["a length beyond the end", [0x0a, 0x7f]],
    ["a varint of eleven bytes", [0x0a, ...Array<number>(10).fill(0xff), 1]],
    ["a tag that does not end", [0xff]],
    ["a fixed64 that is cut", [0x79, 1, 2]],
    ["a fixed32 that is cut", [0x7d, 1, 2]],
  ])("%s is a Decode error", async (_, raw) => {
    await expect(protobuf.decode(envelope(raw))).rejects.toMatchObject({ code: "Decode" });
  });

  it("messages in messages without end", async () => {
    let schema: object = { type: "object" };
    for (let i = 0; i < 600; i++) {
      schema = { properties: { a: schema } };
    }
    const crd = {
      kind: "CustomResourceDefinition",
      apiVersion: "apiextensions.k8s.io/v1",
      spec: { versions: [{ name: "v1", schema: { openAPIV3Schema: schema } }] },
    };
    const bytes = await protobuf.encode(crd);
    await expect(protobuf.decode(bytes)).rejects.toMatchObject({ code: "TooLarge" });
    await expect(protobuf.decode(bytes, { limits: { maxDepth: 5000 } })).resolves.toBeDefined();
  });

  it("JSON nested without end is a KubeError or a value", async () => {
    for (const raw of [
      "[".repeat(200_000),
      `${"[".repeat(200_000)}9007199254740993${"]".repeat(200_000)}`,
    ]) {
      const outcomes = new Outcomes();
      await outcomes.of((bytes) => json.decode(bytes), Buffer.from(raw));
    }
  });
});
