import { setImmediate as turn } from "node:timers/promises";
import { Pod } from "@typekube/api/core/v1";
import type { HttpSend } from "@typekube/core/internal";
import { createInformer } from "@typekube/informer";
import { connect } from "typekube";
import { expect, it } from "vitest";

const count = 100_000;
const nodes = 5_000;
const chunk = 500;

/** Returns a pod of about 2 KB of JSON. Most of it differs from pod to pod, so that equal parts are few. */
function podAt(index: number): string {
  const id = index.toString(16).padStart(12, "0");
  return JSON.stringify({
    metadata: {
      name: `web-${id}`,
      namespace: `team-${index % 40}`,
      uid: `00000000-0000-4000-8000-${id}`,
      resourceVersion: String(1_000_000 + index),
      creationTimestamp: new Date(1.7e12 + index * 1_000).toISOString().replace(".000Z", "Z"),
      labels: { app: `app-${index % 200}`, "pod-template-hash": id.slice(-6) },
      annotations: { "example.com/notes": `${id}`.repeat(50) },
    },
    spec: {
      nodeName: `node-${index % nodes}.example.com`,
      containers: [{ name: "main", image: `registry.example/web:${id}`, args: [id.repeat(20)] }],
    },
    status: { phase: index % 100 === 0 ? "Pending" : "Running", message: id.repeat(20) },
  });
}

async function* listBody(): AsyncGenerator<Buffer> {
  yield Buffer.from(
    '{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[',
  );
  for (let at = 0; at < count; at += chunk) {
    const pods = Array.from({ length: chunk }, (_, i) => podAt(at + i));
    yield Buffer.from(`${at === 0 ? "" : ","}${pods.join()}`);
  }
  yield Buffer.from("]}\n");
}

/** A server with the pods, and a watch without events. */
const send: HttpSend = async ({ path, signal }) => {
  const isWatch = path.includes("watch=true");
  const stopped = new Promise<void>((resolve) => {
    signal?.addEventListener("abort", () => resolve());
  });
  return {
    status: 200,
    headers: { "content-type": "application/json" },
    body: isWatch
      ? (async function* () {
          await stopped;
          yield* [];
        })()
      : listBody(),
  };
};

async function heapMb(): Promise<number> {
  await turn();
  globalThis.gc?.();
  await turn();
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
}

it("a cache of 100,000 pods by node and phase takes less than 100 MB, index included", async () => {
  await using client = await connect({ transport: { server: "http://pods", send } });
  const before = await heapMb();
  await using cache = createInformer(client, Pod, {
    encoding: "json",
    streamingList: false,
    fields: ["spec.nodeName", "status.phase"],
    indexes: { node: ({ spec }) => [spec?.nodeName ?? ""] },
  });
  await cache.synced();
  const kept = (await heapMb()) - before;
  console.log(`100,000 pods with two fields: ${kept.toFixed(1)} MB`);
  expect(cache.indexValues("node")).toHaveLength(nodes);
  expect(cache.by.node("node-7.example.com").map(({ status }) => status?.phase)).toEqual(
    Array(count / nodes).fill("Running"),
  );
  expect(cache.by.node("node-100.example.com")[0]?.status?.phase).toBe("Pending");
  expect(kept).toBeLessThan(100);
});
