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

/** A server that refuses watches for an hour, and what it was asked. */
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
    asked: requested,
    client,
    async [Symbol.asyncDispose]() {
      await client.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The first failure that is told. */
function firstError() {
  let onError: (error: KubeError) => void = () => {};
  const received = new Promise<KubeError>((resolve) => {
    onError = resolve;
  });
  return { told: received, onError };
}

describe("a watch that is refused for now", () => {
  it.each([
    [429, "TooManyRequests"],
    [503, "ServiceUnavailable"],
  ])(
    "W7, N10: with %i and a Retry-After is told at once, and neither it nor a list is asked for meanwhile",
    async (status, code) => {
      await using server = await busyServer(status);
      const { told: received, onError } = firstError();
      const onState = (state: WatcherState) => {
        if (state.name === "waiting") {
          onError(state.cause);
        }
      };
      await using _ = createInformer(server.client, ConfigMap, { onState });
      expect(await received).toMatchObject({ code, retryAfterMs: 3_600_000 });
      expect(server.asked).toEqual(["watch"]);
    },
  );

  it("N10: so is a list, and synced() says what is in the way", async () => {
    await using server = await busyServer(429);
    const { told: received, onError } = firstError();
    await using informer = createInformer(server.client, ConfigMap, {
      onError,
      streamingList: false,
      failAfterMs: 50,
    });
    const failure = { code: "TooManyRequests", retryAfterMs: 3_600_000 };
    expect(await received).toMatchObject(failure);
    await expect(informer.synced()).rejects.toMatchObject(failure);
    expect(server.asked).toEqual(["list"]);
  });

  it("T2, N10: so it is to watchFrom", async () => {
    await using server = await busyServer(429);
    const { told: received, onError } = firstError();
    const events = watchFrom(server.client, ConfigMap, {
      resourceVersion: "5",
      onError,
    });
    const reader = events[Symbol.asyncIterator]();
    const reading = reader.next();
    expect(await received).toMatchObject({ code: "TooManyRequests", retryAfterMs: 3_600_000 });
    await reader.return?.();
    expect([(await reading).done, server.asked]).toEqual([true, ["watch"]]);
  });

  it("R16 [+]: keeps its version, also where it is 503 that says when to come back", async () => {
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
