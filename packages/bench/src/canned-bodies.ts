import { codecs } from "@typekube/core";
import type { Live } from "typekube";
import type { Pod } from "typekube/api/core/v1";
import { listResourceVersion, makePods } from "./pod-data.js";
import { encodeServerCbor, encodeServerCborEvent } from "./server-cbor.js";

/** The encodings that the canned server has. */
export type BodyEncoding = "cbor" | "json" | "protobuf";

const eventsPerRun = 10_000;

/** Everything that the canned server sends, each made once. */
export class CannedBodies {
  readonly #pods: readonly Live<Pod>[];
  readonly #made = new Map<string, Promise<Uint8Array>>();

  constructor(count: number) {
    this.#pods = makePods(count);
  }

  /** One pod. */
  object(encoding: BodyEncoding): Promise<Uint8Array> {
    return this.#once(`object ${encoding}`, () => encode(encoding, this.#pods[0]));
  }

  /** All pods, or those from `start` to `end` with a continue token when there are more. */
  list(encoding: BodyEncoding, start = 0, end: number = this.#pods.length): Promise<Uint8Array> {
    return this.#once(`list ${encoding} ${start} ${end}`, () =>
      encode(encoding, {
        kind: "PodList",
        apiVersion: "v1",
        metadata: {
          resourceVersion: listResourceVersion,
          ...(end < this.#pods.length
            ? { continue: String(end), remainingItemCount: this.#pods.length - end }
            : {}),
        },
        items: this.#pods.slice(start, end).map(withoutTypeMeta),
      }),
    );
  }

  /** `count` events; the pods come again when there are fewer. */
  events(encoding: BodyEncoding, count: number): Promise<Uint8Array> {
    return this.#once(`events ${encoding} ${count}`, async () => {
      const run = await this.#encodeEvents(
        encoding,
        Math.min(eventsPerRun, this.#pods.length, count),
      );
      const runs = Math.ceil(count / run.length);
      return Buffer.concat(
        Array.from({ length: runs }, () => run)
          .flat()
          .slice(0, count),
      );
    });
  }

  /** A streaming list: every pod as ADDED, and the bookmark that ends them. */
  streamingList(encoding: BodyEncoding): Promise<Uint8Array> {
    return this.#once(`streaming ${encoding}`, async () => {
      const bookmark = await encodeEvent(encoding, {
        type: "BOOKMARK",
        object: {
          kind: "Pod",
          apiVersion: "v1",
          metadata: {
            resourceVersion: listResourceVersion,
            creationTimestamp: null,
            annotations: { "k8s.io/initial-events-end": "true" },
          },
          spec: { containers: null },
          status: {},
        },
      });
      return Buffer.concat([...(await this.#encodeEvents(encoding, this.#pods.length)), bookmark]);
    });
  }

  #encodeEvents(encoding: BodyEncoding, count: number): Promise<Uint8Array[]> {
    return Promise.all(
      this.#pods.slice(0, count).map((object) => encodeEvent(encoding, { type: "ADDED", object })),
    );
  }

  #once(name: string, make: () => Promise<Uint8Array>): Promise<Uint8Array> {
    let body = this.#made.get(name);
    if (body === undefined) {
      body = make();
      this.#made.set(name, body);
    }
    return body;
  }
}

async function encode(encoding: BodyEncoding, object: unknown): Promise<Uint8Array> {
  return encoding === "cbor" ? encodeServerCbor(object) : codecs[encoding].encode(object);
}

async function encodeEvent(
  encoding: BodyEncoding,
  event: { type: string; object: unknown },
): Promise<Uint8Array> {
  return encoding === "cbor"
    ? encodeServerCborEvent(event)
    : codecs[encoding].encodeWatchEvent(event);
}

/** The items of a list say neither kind nor apiVersion on the wire. */
function withoutTypeMeta({
  kind,
  apiVersion,
  ...rest
}: Live<Pod>): Omit<Pod, "apiVersion" | "kind"> {
  return rest;
}
