import { codecs } from "@typekube/core/internal";
import type { Live } from "typekube";
import type { Pod } from "typekube/api/core/v1";
import type { BodyEncoding } from "./body-types.js";
import { listResourceVersion, makePods } from "./pod-data.js";
import { encodeServerCbor, encodeServerCborEvent } from "./server-cbor.js";

const eventsPerRun = 10_000;

/** Holds every body that the canned server sends, each made once. */
export class CannedBodies {
  readonly #pods: readonly Live<Pod>[];
  readonly #made = new Map<string, Promise<Uint8Array>>();

  constructor(count: number) {
    this.#pods = makePods(count);
  }

  /** Returns one pod. */
  object(encoding: BodyEncoding): Promise<Uint8Array> {
    return this.#once(`object ${encoding}`, () => encode(encoding, this.#pods[0]));
  }

  /** Returns all pods, or those from `start` to `end`, with a continue token when more follow. */
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

  /** Returns `count` events, each with its own resourceVersion; the pods repeat when there are fewer. */
  events(encoding: BodyEncoding, count: number): Promise<Uint8Array> {
    return this.#once(`events ${encoding} ${count}`, async () => {
      const pods = this.#pods.slice(0, Math.min(eventsPerRun, count)).map(withVersion);
      const run = await Promise.all(
        pods.map((object) => encodeEvent(encoding, { type: "MODIFIED", object })),
      );
      const places = run.map((event, at) =>
        Buffer.from(event.buffer, event.byteOffset, event.length).indexOf(versionOf(at)),
      );
      return Buffer.concat(
        Array.from({ length: count }, (_, at) => {
          const event = Buffer.from(run[at % run.length] ?? []);
          event.write(versionOf(at), places[at % run.length] ?? 0, "latin1");
          return event;
        }),
      );
    });
  }

  /** Returns a list without pods, for programs that measure events only. */
  emptyList(encoding: BodyEncoding): Promise<Uint8Array> {
    return this.list(encoding, this.#pods.length);
  }

  /** Returns the bookmark that ends the initial events, here of a streaming list without pods. */
  initialEventsEnd(encoding: BodyEncoding): Promise<Uint8Array> {
    return this.#once(`initial events end ${encoding}`, () =>
      encodeEvent(encoding, initialEventsEnd),
    );
  }

  /** Returns a streaming list: every pod as ADDED, then the bookmark that ends the initial events. */
  streamingList(encoding: BodyEncoding): Promise<Uint8Array> {
    return this.#once(`streaming ${encoding}`, async () => {
      const bookmark = await this.initialEventsEnd(encoding);
      return Buffer.concat([...(await this.#encodeAdded(encoding)), bookmark]);
    });
  }

  #encodeAdded(encoding: BodyEncoding): Promise<Uint8Array[]> {
    return Promise.all(
      this.#pods.map((object) => encodeEvent(encoding, { type: "ADDED", object })),
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

const initialEventsEnd = {
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
};

/** Returns the resourceVersion of the event at an index. All have the same length, so that one can overwrite another. */
function versionOf(at: number): string {
  return String(Number(listResourceVersion) + 1 + at);
}

function withVersion(pod: Live<Pod>, at: number): Live<Pod> {
  return { ...pod, metadata: { ...pod.metadata, resourceVersion: versionOf(at) } };
}

/** Removes kind and apiVersion, which list items omit on the wire. */
function withoutTypeMeta({
  kind,
  apiVersion,
  ...rest
}: Live<Pod>): Omit<Pod, "apiVersion" | "kind"> {
  return rest;
}
