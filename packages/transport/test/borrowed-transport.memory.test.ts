import { getEventListeners } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { get } from "@typekube/test-support/calls";
import { httpServer } from "@typekube/test-support/servers";
import { expect, test } from "vitest";
import { createTransport } from "../src/index.js";
import { borrowTransport } from "../src/internal.js";

test("N25: responses with unread bodies, such as those of health checks, are released", async () => {
  await using server = await httpServer((_request, response) => response.end("ok"));
  await using transport = createTransport({ server: server.url });
  const mine = borrowTransport(transport.send);
  const { signal } = new AbortController();
  const listeners = () => getEventListeners(signal, "abort").length;
  for (let i = 0; i < 1_000; i += 1) {
    expect((await mine.send(get({ path: "/healthz", signal }))).status).toBe(200);
  }
  for (let round = 0; round < 200 && listeners() > 0; round += 1) {
    globalThis.gc?.();
    await turn();
  }
  // The last response may still be referenced.
  expect(listeners()).toBeLessThanOrEqual(1);
  await mine.close();
});
