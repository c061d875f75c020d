import { gunzipSync, gzipSync } from "node:zlib";
import { KubeError } from "@typekube/core";
import { defaultLimits } from "@typekube/core/internal";
import { mutate, seededRandom } from "@typekube/test-support/seeded-random";
import { expect, it } from "vitest";
import { gunzip } from "../../../packages/transport/src/body/gunzip.js";

/** Inputs, as for the codecs: TYPEKUBE_FUZZ sets a larger number than a quick run has time for. */
const inputCount = Number(process.env["TYPEKUBE_FUZZ"] ?? 2_000);
const seed = 20_261_121;
const limits = { ...defaultLimits, maxInflatedBytes: 10_000 };
const request = { method: "GET", path: "/api/v1/pods" };

/** Two gzip members, as a streaming list sends them. */
const good = Buffer.concat([
  gzipSync(JSON.stringify({ kind: "PodList", items: [{ metadata: { name: "a" } }] })),
  gzipSync('{"type":"ADDED","object":{"metadata":{"name":"b"}}}\n'.repeat(3)),
]);

async function* inChunks(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) {
    yield bytes.subarray(at, at + size);
  }
}

async function inflate(bytes: Uint8Array, size: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of gunzip(inChunks(bytes, size), limits, request)) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

it(`${inputCount} mutated bodies, seed ${seed}, inflate as with zlib or fail with a KubeError`, {
  timeout: 300_000,
}, async () => {
  const random = seededRandom(seed);
  const counts: Record<string, number> = {};
  for (let i = 0; i < inputCount; i++) {
    const bytes = Buffer.from(mutate(good, random));
    let outcome = "value";
    try {
      // An empty body is not gzip, but allowed.
      const inflated = await inflate(bytes, 1 + Math.floor(random() * 300));
      const expected = bytes.length === 0 ? bytes : gunzipSync(bytes);
      expect(inflated.equals(expected), bytes.toString("hex")).toBe(true);
    } catch (error) {
      expect(error, bytes.toString("hex")).toBeInstanceOf(KubeError);
      outcome = (error as KubeError).code;
    }
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  console.log(`${inputCount} hostile gzip bodies: ${JSON.stringify(counts)}`);
  expect(counts["value"]).toBeGreaterThan(0);
  expect(counts["Decode"]).toBeGreaterThan(0);
});
