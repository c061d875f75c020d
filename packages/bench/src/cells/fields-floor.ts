import { codecs, projectionOf } from "@typekube/core/internal";
import { request } from "undici/index.js";
import { runCell } from "../cell.js";
import { firstCall } from "./first-call.js";
import { podFields } from "./pod-fields.js";

const lengthBytes = 4;

/** Result of a row: a map of objects, or their number. */
interface Seen {
  readonly size: number;
}

interface Named {
  readonly metadata: { readonly namespace: string; readonly name: string };
}

// The least that a cache of eight fields costs: its bytes from undici, with the frames only counted, or decoded into a
// map.
await runCell(
  async ({ url, count, variant }) => {
    await firstCall(url);
    const load = async (): Promise<AsyncIterable<Buffer>> => {
      const { body } = await request(`${url}/api/v1/pods?watch=true&sendInitialEvents=true`, {
        headers: { accept: "application/vnd.kubernetes.protobuf;stream=watch" },
      });
      return body;
    };
    return async (): Promise<Seen> =>
      variant.includes("frames") ? countFrames(await load(), count) : decoded(await load(), count);
  },
  ({ size }) => size,
);

async function countFrames(body: AsyncIterable<Buffer>, count: number): Promise<Seen> {
  let seen = 0;
  /** Bytes until the next frame, whose length may be split between chunks. */
  let left = 0;
  let length = 0;
  let lengthRead = 0;
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; ) {
      if (left > 0) {
        const step = Math.min(left, chunk.length - at);
        at += step;
        left -= step;
        seen += left === 0 ? 1 : 0;
      } else {
        length = length * 256 + (chunk[at++] as number);
        if (++lengthRead === lengthBytes) {
          left = length;
          length = 0;
          lengthRead = 0;
        }
      }
    }
    if (seen >= count) {
      break;
    }
  }
  // The frame behind the pods is the bookmark that ends them.
  return { size: Math.min(seen, count) };
}

async function decoded(body: AsyncIterable<Buffer>, count: number): Promise<Seen> {
  const cache = new Map<string, object>();
  const options = { projection: projectionOf(podFields), managedFields: false, shareEqual: true };
  for await (const events of codecs.protobuf.decodeWatch(body, options)) {
    for (const { type, object } of events) {
      const { metadata } = object as Named;
      if (type === "ADDED") {
        cache.set(`${metadata.namespace}/${metadata.name}`, object as object);
      }
    }
    if (cache.size === count) {
      break;
    }
  }
  return cache;
}
