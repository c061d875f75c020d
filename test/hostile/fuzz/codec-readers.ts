import { deepStrictEqual, fail, strictEqual } from "node:assert/strict";
import { KubeError, type Status } from "@typekube/core";
import {
  type Codec,
  codecs,
  errorFromStatus,
  jsonEqual,
  type ListPart,
} from "@typekube/core/internal";
import { flat, inChunks } from "@typekube/test-support/bytes";
import { goldenObjects, hasCorpus } from "@typekube/test-support/golden-corpus";
import { encodedConfigMaps, readList, type WholeList } from "@typekube/test-support/lists";
import type { HostileReader } from "./hostile-reader.js";

/** Kinds of input that a codec reads. */
export type What = "list" | "object" | "watch";

const whats: readonly What[] = ["object", "list", "watch"];
/** Maximum bytes of a chunk. */
const maxChunkBytes = 4000;

/** Returns readers of objects, lists and watches in each encoding, and of a Status. */
export async function codecReaders(): Promise<HostileReader[]> {
  const readers = await Promise.all(
    [codecs.json, codecs.yaml, codecs.cbor, codecs.protobuf].flatMap((codec) =>
      whats.map((what) => codecReader(codec, what)),
    ),
  );
  return [...readers, statusReader];
}

/** Returns a reader for one kind of input in one encoding. It reads in two ways whose results must agree. */
export async function codecReader(codec: Codec, what: What): Promise<HostileReader> {
  return {
    name: `${codec.name} ${what}`,
    seeds: (await seeds(codec))[what],
    async read(bytes, random) {
      const { error } = await read(codec, what, bytes, 1 + Math.floor(random() * maxChunkBytes));
      if (error !== undefined) {
        throw error;
      }
    },
  };
}

const failedStatus = {
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Failure",
  message: 'pods "a" not found',
  reason: "NotFound",
  details: {
    name: "a",
    kind: "pods",
    retryAfterSeconds: 1,
    causes: [{ reason: "FieldValueInvalid", message: "Invalid value", field: "spec.a[0].b" }],
  },
  code: 404,
};

const statusReader: HostileReader = {
  name: "Status",
  seeds: [Buffer.from(JSON.stringify(failedStatus))],
  async read(bytes) {
    const status = await codecs.json.decode(bytes);
    if (typeof status === "object" && status !== null) {
      const error = errorFromStatus(status as Status, { httpStatus: 500 });
      strictEqual(error instanceof KubeError, true);
      JSON.stringify(error);
      void error.stack;
    }
  },
};

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

/** Returns valid bytes to mutate. */
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

/** Result of reading an input. */
interface Outcome {
  readonly value?: unknown;
  readonly error?: KubeError;
}

async function outcomeOf(read: Promise<unknown>, bytes: Uint8Array): Promise<Outcome> {
  try {
    return { value: await read };
  } catch (error) {
    if (!(error instanceof KubeError)) {
      throw new Error(`${String(error)} for ${Buffer.from(bytes).toString("hex")}`, {
        cause: error,
      });
    }
    return { error };
  }
}

/** Reads an input; for lists and some watches in a second way too, with the same result. */
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
      // Takes twice the time, so only a part of the inputs is read whole too.
      if (size % 4 === 0) {
        const whole = await events(bytes.length);
        // A wrong count is TooLarge while its bytes may still follow, and Decode once other bytes follow.
        strictEqual(pieces.error === undefined, whole.error === undefined);
        deepStrictEqual(pieces.value, whole.value);
      }
      return pieces;
    }
  }
}

/** Expects that a streamed list equals the list in the whole body, or fails. */
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
    fail(`streamed, but ${whole.error?.message} as a whole: ${hex()}`);
  }
  const { items } = streamed.value as WholeList;
  const expected = (list.items ?? []) as readonly object[];
  strictEqual(items.length, expected.length, hex());
  items.forEach((item, i) => {
    // Streamed items have kind and apiVersion added.
    for (const [key, value] of Object.entries(expected[i] as object)) {
      strictEqual(
        jsonEqual((item as Record<string, unknown>)[key], value),
        true,
        `${key}: ${hex()}`,
      );
    }
  });
}
