import { setImmediate as turn } from "node:timers/promises";
import { Pod } from "@typekube/api/core/v1";
import type { HttpSend } from "@typekube/core/internal";
import { statusResponse } from "@typekube/test-support/scripted-server";
import { Client } from "typekube/internal";
import { expect, it } from "vitest";

/** Serves a log of timed lines of 200 bytes, 10,000 of them in each second. */
function logOf(lines: number): HttpSend {
  const text = "x".repeat(168);
  return async ({ path }) => {
    const isLog = path.includes("/log");
    return {
      status: isLog ? 200 : 403,
      headers: { "content-type": isLog ? "text/plain" : "application/json" },
      body: (async function* () {
        if (!isLog) {
          yield Buffer.from(JSON.stringify(statusResponse(403, "Forbidden").body));
          return;
        }
        for (let from = 0; from < lines; from += 250) {
          let chunk = "";
          for (let at = from; at < from + 250; at++) {
            const time = new Date(Math.floor(at / 10_000) * 1_000).toISOString().slice(0, 19);
            chunk += `${time}.${String((at % 10_000) * 100_000).padStart(9, "0")}Z ${text}\n`;
          }
          yield Buffer.from(chunk);
        }
      })(),
    };
  };
}

/**
 * Returns the bytes of live objects, or of live buffers alone. V8 frees buffers on another thread,
 * so that a reading right after a collection may count some that are gone: the least of a few is right.
 */
async function aliveBytes(of: "all" | "buffers"): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let reading = 0; reading < 5; reading++) {
    await turn();
    globalThis.gc?.();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    least = Math.min(least, of === "all" ? heapUsed + arrayBuffers : arrayBuffers);
  }
  return least;
}

/** Returns the peak of live bytes, above those at the start, while a log is followed. */
async function peakBytes(lines: number): Promise<number> {
  await using client = new Client({ server: "http://logs", send: logOf(lines) });
  const before = await aliveBytes("all");
  let peak = 0;
  let seen = 0;
  const pod = client.resource(Pod, "prod").named("web-0");
  for await (const line of pod.logs({ follow: true, container: "main" })) {
    seen += line.length > 0 ? 1 : 0;
    if (seen % 25_000 === 0) {
      peak = Math.max(peak, (await aliveBytes("all")) - before);
    }
  }
  expect(seen).toBe(lines);
  return peak;
}

it("XL14: following 100 MB of log holds no more than 10 MB: the lines of one chunk, and the times of one second", async () => {
  await peakBytes(50_000);
  const few = await peakBytes(50_000);
  const many = await peakBytes(500_000);
  expect(many).toBeLessThan(few + 2 * 1024 * 1024);
  expect(many).toBeLessThan(8 * 1024 * 1024);
});

it("XL2: a line without an end holds 1 MiB at most", async () => {
  let alive = 0;
  const send: HttpSend = async () => ({
    status: 200,
    headers: { "content-type": "text/plain" },
    body: (async function* () {
      for (let at = 0; at < 1_000; at++) {
        yield Buffer.alloc(64 * 1024, 0x78);
        if (at === 900) {
          alive = await aliveBytes("buffers");
        }
      }
    })(),
  });
  await using client = new Client({ server: "http://logs", send });
  const before = await aliveBytes("buffers");
  let bytes = 0;
  for await (const part of client.resource(Pod, "p").named("x").logs({ container: "main" })) {
    bytes += part.length;
  }
  expect(bytes).toBe(1_000 * 64 * 1024);
  expect(alive - before).toBeLessThan(4 * 1024 * 1024);
});

it("XL2: a line that comes in single bytes holds no more", async () => {
  const count = 1_000_000;
  let alive = 0;
  const send: HttpSend = async () => ({
    status: 200,
    headers: { "content-type": "text/plain" },
    body: (async function* () {
      const byte = Buffer.from("x");
      for (let at = 0; at < count; at++) {
        yield byte;
      }
      alive = await aliveBytes("all");
    })(),
  });
  await using client = new Client({ server: "http://logs", send });
  const before = await aliveBytes("all");
  const lines: string[] = [];
  for await (const line of client.resource(Pod, "p").named("x").logs({ container: "main" })) {
    lines.push(line);
  }
  expect(lines.map(({ length }) => length)).toEqual([count]);
  expect(alive - before).toBeLessThan(8 * 1024 * 1024);
});
