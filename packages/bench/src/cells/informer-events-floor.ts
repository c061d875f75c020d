import { request } from "undici/index.js";
import { runCell } from "../cell.js";
import { firstCall } from "./first-call.js";

const newline = 0x0a;

interface Event {
  readonly object: {
    readonly metadata: { readonly namespace: string; readonly name: string };
    readonly spec: { readonly nodeName: string };
  };
}

await runCell(
  async ({ url, count }) => {
    await firstCall(url);
    return async () => {
      const { body } = await request(`${url}/api/v1/pods?watch=true&labelSelector=events-${count}`);
      const cache = new Map<string, Event["object"]>();
      const byNode = new Map<string, Set<string>>();
      let seen = 0;
      let rest: Buffer = Buffer.alloc(0);
      for await (const chunk of body as AsyncIterable<Buffer>) {
        const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
        let start = 0;
        for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
          const { object } = JSON.parse(bytes.toString("utf8", start, end)) as Event;
          const key = `${object.metadata.namespace}/${object.metadata.name}`;
          cache.set(key, object);
          const keys = byNode.get(object.spec.nodeName) ?? new Set();
          byNode.set(object.spec.nodeName, keys.add(key));
          seen++;
          start = end + 1;
        }
        rest = bytes.subarray(start);
        if (seen === count) {
          break;
        }
      }
      // Keeps cache and index alive, as an informer does.
      return { seen, cache, byNode };
    };
  },
  ({ seen }) => seen,
);
