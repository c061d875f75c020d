import { deepStrictEqual } from "node:assert/strict";
import { type Codec, codecs, KubeError, type ListPart } from "@typekube/core";
import { describe, expect, it } from "vitest";
import { goldenObjects, hasCorpus } from "../../../packages/core/test/golden-corpus.js";
import { flat, inChunks } from "../../../packages/core/test/helpers/bytes.js";
import {
  encodedConfigMaps,
  readList,
  type WholeList,
} from "../../../packages/core/test/helpers/lists.js";
import { mutate, seededRandom } from "../../../packages/core/test/helpers/seeded-random.js";

/** How many inputs each decoder gets. TYPEKUBE_FUZZ asks for more than a quick run has time for. */
export const inputCount: number = Number(process.env["TYPEKUBE_FUZZ"] ?? 20_000);
const seed = 20_261_121;

type What = "list" | "object" | "watch";

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

/** Good bytes to begin with. */
async function seeds(codec: Codec): Promise<Record<What, Uint8Array[]>> {
  const objects = [await codec.encode(pod)];
  if (hasCorpus) {
    const kinds = /\.(ControllerRevision|Lease|NetworkPolicy|Role|Service)$/;
    for (const { name, json } of goldenObjects("v1.37.1")) {
      if (kinds.test(name)) {
        objects.push(await codec.encode(await codecs.json.decode(json)));
      }
    }
  }
  const events = [
    { type: "ADDED", object: pod },
    { type: "BOOKMARK", object: { kind: "Pod", apiVersion: "v1" } },
  ];
  return {
    object: objects,
    list: [await encodedConfigMaps(codec.name)],
    watch: [Buffer.concat(await Promise.all(events.map((event) => codec.encodeWatchEvent(event))))],
  };
}

/** What became of an input. */
interface Outcome {
  readonly value?: unknown;
  readonly error?: KubeError;
}

async function outcomeOf(read: Promise<unknown>, bytes: Uint8Array): Promise<Outcome> {
  try {
    return { value: await read };
  } catch (error) {
    if (!(error instanceof KubeError)) {
      expect.fail(`${String(error)} for ${Buffer.from(bytes).toString("hex")}`);
    }
    return { error };
  }
}

/** Reads an input by one way, and by a second one that must agree with it. */
async function read(codec: Codec, what: What, bytes: Uint8Array, size: number): Promise<Outcome> {
  const options = { managedFields: size % 2 === 0 };
  switch (what) {
    case "object": {
      return outcomeOf(codec.decode(bytes, options), bytes);
    }
    case "list": {
      const streamed = await outcomeOf(readList(codec, inChunks(bytes, size), options), bytes);
      await assertSameList(codec, bytes, streamed, options);
      return streamed;
    }
    default: {
      const events = (chunkBytes: number) =>
        outcomeOf(flat(codec.decodeWatch(inChunks(bytes, chunkBytes), options)), bytes);
      const pieces = await events(size);
      // Twice the time: some of them are enough.
      if (size % 4 === 0) {
        const whole = await events(bytes.length);
        // A count that lies is TooLarge as long as its bytes may come, and Decode once something else stands there.
        expect(pieces.error === undefined).toBe(whole.error === undefined);
        deepStrictEqual(pieces.value, whole.value);
      }
      return pieces;
    }
  }
}

/** A list that streams in is the list that the whole body is, or no list at all. */
async function assertSameList(
  codec: Codec,
  bytes: Uint8Array,
  streamed: Outcome,
  options: { managedFields: boolean },
): Promise<void> {
  const whole = await outcomeOf(codec.decode(bytes, options), bytes);
  if (streamed.value === undefined) {
    return;
  }
  const hex = () => Buffer.from(bytes).toString("hex");
  const list = whole.value as (ListPart & { items?: unknown }) | undefined;
  if (list === undefined) {
    expect.fail(`streamed, but ${whole.error?.message} as a whole: ${hex()}`);
  }
  const { items } = streamed.value as WholeList;
  const expected = (list.items ?? []) as readonly object[];
  expect(items.length, hex()).toBe(expected.length);
  items.forEach((item, i) => {
    // Streamed items have their kind filled in.
    expect(item, hex()).toMatchObject(expected[i] as object);
  });
}

/** Feeds a codec bytes that are not what they should be: cut, changed and made up. */
export function describeHostileBytes(codec: Codec): void {
  describe(`bytes that are not what they should be, in ${codec.name}`, () => {
    it.each(["object", "list", "watch"] as const)(
      "cut at every position, %s decoders give a value or a KubeError",
      async (what) => {
        const counts = new Map<string, number>();
        for (const bytes of (await seeds(codec))[what].slice(0, 1)) {
          for (let end = 0; end <= bytes.length; end++) {
            count(counts, await read(codec, what, bytes.subarray(0, end), 64));
          }
        }
        console.log(`cut ${codec.name} ${what}: ${show(counts)}`);
        expect(counts.get("Decode")).toBeGreaterThan(0);
      },
    );

    it.each(["object", "list", "watch"] as const)(
      `${inputCount} inputs changed or made up, seed ${seed}: %s decoders give the right value or a KubeError`,
      { timeout: 300_000 },
      async (what) => {
        const counts = new Map<string, number>();
        const random = seededRandom(seed);
        const good = (await seeds(codec))[what];
        for (let i = 0; i < inputCount; i++) {
          const start = good[i % good.length] as Uint8Array;
          const bytes = i % 16 === 0 ? madeUp(start, random) : mutate(start, random);
          count(counts, await read(codec, what, bytes, 1 + Math.floor(random() * 4000)));
        }
        console.log(`${inputCount} hostile inputs, ${codec.name} ${what}: ${show(counts)}`);
        expect(counts.get("Decode")).toBeGreaterThan(0);
        expect(Object.keys(Object.prototype), "prototypes stay as they are").toEqual([]);
        expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
      },
    );
  });
}

/** Bytes by chance; half of them behind a good beginning. */
function madeUp(good: Uint8Array, random: () => number): Uint8Array {
  const bytes = Buffer.from(
    Array.from({ length: Math.floor(random() * 200) }, () => random() * 256),
  );
  const kept = random() < 0.5 ? Math.floor(random() * good.length) : 0;
  return Buffer.concat([good.subarray(0, kept), bytes]);
}

function count(counts: Map<string, number>, { error }: Outcome): void {
  const key = error?.code ?? "value";
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function show(counts: Map<string, number>): string {
  return JSON.stringify(Object.fromEntries(counts));
}
