import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ConfigMap } from "@typekube/api/core/v1";
import type { KubeError } from "@typekube/core";
import { createInformer, type WatcherState, watchFrom } from "@typekube/informer";
import { connect } from "typekube";
import { describe, expect, it } from "vitest";
import { observe } from "./follow-helper.js";
import { list, pod, ScriptedSource } from "./scripted-source.js";
import { failure } from "./wire-events.js";

/** Creates a server that rejects all requests for an hour, and records them. */
async function busyServer(status: number) {
  const requested: string[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    requested.push(request.url?.includes("watch=true") ? "watch" : "list");
    response.writeHead(status, { "content-type": "application/json", "retry-after": "3600" });
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = await connect({
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  return {
    requested,
    client,
    async [Symbol.asyncDispose]() {
      await client.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns the first reported error as a promise, with the callback that resolves it. */
function firstError() {
  let onError: (error: KubeError) => void = () => {};
  const received = new Promise<KubeError>((resolve) => {
    onError = resolve;
  });
  return { received, onError };
}

describe("a watch that is rejected for now", () => {
  it.each([
    [429, "TooManyRequests"],
    [503, "ServiceUnavailable"],
  ])(
    "W7, N10: reports %i with a Retry-After at once, and sends neither the watch again nor a list",
    async (status, code) => {
      await using server = await busyServer(status);
      const { received, onError } = firstError();
      const onState = (state: WatcherState) => {
        if (state.name === "waiting") {
          onError(state.cause);
        }
      };
      await using _ = createInformer(server.client, ConfigMap, { onState });
      expect(await received).toMatchObject({ code, retryAfterMs: 3_600_000 });
      expect(server.requested).toEqual(["watch"]);
    },
  );

  it("N10: reports a rejected list at once, and synced() rejects with it", async () => {
    await using server = await busyServer(429);
    const { received, onError } = firstError();
    await using informer = createInformer(server.client, ConfigMap, {
      onError,
      streamingList: false,
      failAfterMs: 50,
    });
    const failure = { code: "TooManyRequests", retryAfterMs: 3_600_000 };
    expect(await received).toMatchObject(failure);
    await expect(informer.synced()).rejects.toMatchObject(failure);
    expect(server.requested).toEqual(["list"]);
  });

  it("T2, N10: watchFrom reports it at once", async () => {
    await using server = await busyServer(429);
    const { received, onError } = firstError();
    const events = watchFrom(server.client, ConfigMap, {
      resourceVersion: "5",
      onError,
    });
    const reader = events[Symbol.asyncIterator]();
    const reading = reader.next();
    expect(await received).toMatchObject({ code: "TooManyRequests", retryAfterMs: 3_600_000 });
    await reader.return?.();
    expect([(await reading).done, server.requested]).toEqual([true, ["watch"]]);
  });

  it("R16 [+]: keeps the resourceVersion, also after a 503 with a Retry-After", async () => {
    const refused = failure(503, "ServiceUnavailable", "starting", { retryAfterSeconds: 20 });
    const source = new ScriptedSource({ lists: [list(10, pod("a", 10))], watches: [refused] });
    const { informer, clock } = observe(source);
    await clock.advance(19_000);
    expect(source.watches).toHaveLength(1);
    await clock.advance(2_000);
    expect(source.watches.map(({ resourceVersion }) => resourceVersion)).toEqual(["10", "10"]);
    expect(source.lists).toHaveLength(1);
    await informer.close();
  });
});
