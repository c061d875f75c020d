import { once } from "node:events";
import type { Socket } from "node:net";
import { createVirtualClock } from "@typekube/apiserver";
import { type Client, connect, type KubeError } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rawServer, response } from "./raw-server.js";

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown) => unhandled.push(reason);
beforeEach(() => {
  unhandled.length = 0;
  process.on("unhandledRejection", onUnhandled);
});
afterEach(() => {
  process.off("unhandledRejection", onUnhandled);
  expect(unhandled).toEqual([]);
});

const map = (name: string) =>
  ({ kind: "ConfigMap", apiVersion: "v1", metadata: { name } }) as const;
const object = JSON.stringify(map("a"));
const list = JSON.stringify({
  kind: "ConfigMapList",
  apiVersion: "v1",
  metadata: { resourceVersion: "1" },
  items: [map("a")],
});
const event = `${JSON.stringify({ type: "ADDED", object: map("a") })}\n`;

/** Name of a call, the whole body of its response, and the call, which records the objects read before an error. */
const calls: readonly (readonly [
  string,
  string,
  (client: Client, seen: string[], timeoutMs?: number) => Promise<unknown>,
])[] = [
  ["get", object, (client, _, timeoutMs) => maps(client).get("a", { timeoutMs })],
  ["create", object, (client, _, timeoutMs) => maps(client).create(map("a"), { timeoutMs })],
  ["list", list, (client, _, timeoutMs) => maps(client).list({ timeoutMs })],
  [
    "watch",
    event + event,
    async (client, seen) => {
      for await (const { object } of maps(client).watch()) {
        seen.push(object.metadata.name ?? "");
      }
    },
  ],
];

const maps = (client: Client) => client.resource(ConfigMap, "shop");

/** Starts a server whose first response is `first` and whose later responses are correct. Records its sockets. */
async function serving(first: Buffer, body: string, isEnding = false) {
  const sockets: Socket[] = [];
  let responses = 0;
  const server = await rawServer((socket) => {
    if (!sockets.includes(socket)) {
      sockets.push(socket);
    }
    const bytes = responses++ === 0 ? first : response("application/json", body);
    socket[isEnding && responses === 1 ? "end" : "write"](bytes);
  });
  return { server, sockets };
}

async function failureOf(promise: Promise<unknown>): Promise<KubeError> {
  return promise.then(
    () => expect.fail("it succeeded"),
    (reason: KubeError) => reason,
  );
}

async function closed(socket: Socket | undefined): Promise<void> {
  if (socket && !socket.destroyed) {
    await once(socket, "close");
  }
}

describe.each(calls)("a wrong content-length in the response to a %s", (what, body, call) => {
  const seenOf = (count: number) => (what === "watch" ? Array(count).fill("a") : []);

  it("too large, then the connection ends: ConnectionClosed with both numbers, after the data received", async () => {
    const first = response("application/json", body, body.length + 7);
    const { server, sockets } = await serving(first, body, true);
    await using _ = server;
    await using client = await connect({ server: server.url });
    const seen: string[] = [];
    const error = await failureOf(call(client, seen));
    expect(error.code).toBe("ConnectionClosed");
    expect(error.message).toContain(`after ${body.length} bytes of ${body.length + 7}`);
    expect(seen).toEqual(seenOf(2));
    await call(client, []);
    expect(sockets).toHaveLength(2);
  });

  // A watch has no deadline: silence is normal, and informers have a watchdog.
  if (what !== "watch") {
    it("too large, and the connection stays open: the deadline ends the call and the connection", async () => {
      const first = response("application/json", body, body.length + 7);
      const { server, sockets } = await serving(first, body);
      await using _ = server;
      const clock = createVirtualClock();
      await using client = await connect({ server: server.url, clock });
      const outcome = failureOf(call(client, [], 1_000));
      await expect.poll(() => sockets[0]?.bytesWritten).toBe(first.length);
      await clock.advance(1_000);
      expect((await outcome).code).toBe("DeadlineExceeded");
      await closed(sockets[0]);
      await call(client, []);
      expect(sockets).toHaveLength(2);
    });
  }

  it("too small: the truncated body is a Decode error, and the rest is not read as a response", async () => {
    const poison = response("application/json", body.replaceAll('"a"', '"x"'));
    const first = Buffer.concat([response("application/json", body, body.length - 7), poison]);
    const { server, sockets } = await serving(first, body);
    await using _ = server;
    await using client = await connect({ server: server.url });
    const seen: string[] = [];
    expect((await failureOf(call(client, seen))).code).toBe("Decode");
    expect(seen).toEqual(seenOf(1));
    await closed(sockets[0]);
    const again: string[] = [];
    expect(JSON.stringify(await call(client, again)) ?? "").not.toContain('"x"');
    expect(again).toEqual(seenOf(2));
    expect(sockets).toHaveLength(2);
  });

  it("correct, but another response follows unrequested: it is dropped together with its connection", async () => {
    const whole = response("application/json", body);
    const poison = response("application/json", body.replaceAll('"a"', '"x"'));
    const { server, sockets } = await serving(Buffer.concat([whole, poison]), body);
    await using _ = server;
    await using client = await connect({ server: server.url });
    await call(client, []);
    await closed(sockets[0]);
    const again: string[] = [];
    expect(JSON.stringify(await call(client, again)) ?? "").not.toContain('"x"');
    expect(again).toEqual(seenOf(2));
    expect(sockets).toHaveLength(2);
  });
});
