import { setImmediate as turn } from "node:timers/promises";
import { Pod } from "@typekube/api/core/v1";
import type { HttpSend } from "@typekube/core/internal";
import { connect } from "typekube";
import { expect, it } from "vitest";

const pageSize = 500;
/** About 2 KiB of JSON, like a typical pod. */
const notes = "n".repeat(1_900);

/** Creates a server with `count` pods, in pages that are built on request. */
function podServer(count: number): { readonly server: string; readonly send: HttpSend } {
  return {
    server: "http://pods",
    send: async ({ path }) => {
      const query = new URL(path, "http://pods").searchParams;
      const from = Number(query.get("continue") ?? 0);
      const to = Math.min(from + pageSize, count);
      const items = Array.from({ length: to - from }, (_, i) => ({
        metadata: { name: `p${from + i}`, annotations: { notes: `${from + i}${notes}` } },
      }));
      const metadata = { resourceVersion: "9", ...(to < count ? { continue: String(to) } : {}) };
      const body = JSON.stringify({ kind: "PodList", apiVersion: "v1", metadata, items });
      return {
        status: 200,
        headers: { "content-type": "application/json" },
        body: (async function* () {
          yield Buffer.from(body);
        })(),
        close: async () => {},
      } as unknown as Awaited<ReturnType<HttpSend>>;
    },
  };
}

/** Returns the peak of live bytes, above those at the start, while all pods are read. */
async function peakBytes(count: number): Promise<number> {
  await using client = await connect({ transport: podServer(count) });
  const alive = async () => {
    await turn();
    globalThis.gc?.();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = await alive();
  let peak = 0;
  let seen = 0;
  for await (const pod of client.resource(Pod).items({ pageSize, encoding: "json" })) {
    seen += pod.metadata.name ? 1 : 0;
    if (seen % 250 === 0) {
      peak = Math.max(peak, (await alive()) - before);
    }
  }
  expect(seen).toBe(count);
  return peak;
}

it("CHK10: reading 10,000 pods holds no more than reading 1,000: a few pages, not the collection", async () => {
  await peakBytes(1_000);
  const few = await peakBytes(1_000);
  const many = await peakBytes(10_000);
  // A page is about 1 MB of JSON, the collection 20 MB.
  expect(few).toBeLessThan(8e6);
  expect(many).toBeLessThan(8e6);
});
