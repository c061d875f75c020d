import { getEventListeners } from "node:events";
import { collectBytes, type HttpRequest, type HttpResponse } from "@typekube/core/internal";
import { failure, text } from "@typekube/test-support/calls";
import { httpServer } from "@typekube/test-support/servers";
import { createTransport } from "@typekube/transport";
import { borrowTransport } from "@typekube/transport/internal";
import { describe, expect, test } from "vitest";

const call: HttpRequest = { method: "GET", path: "/version?a=b", headers: {}, mode: "call" };

/** A transport whose bodies send one chunk and then nothing, until their signal aborts. */
function silentServer() {
  const seen: HttpRequest[] = [];
  let ended = 0;
  const send = async (request: HttpRequest): Promise<HttpResponse> => {
    seen.push(request);
    async function* body() {
      try {
        yield Uint8Array.of(1);
        await new Promise((_, reject) => {
          request.signal?.addEventListener("abort", () => reject(request.signal?.reason));
        });
      } finally {
        ended += 1;
      }
    }
    return { status: 200, headers: {}, body: body() };
  };
  return { send, seen, ended: () => ended };
}

const never = () => new Promise<never>(() => {});

describe("a borrowed transport", () => {
  test("closing it ends its streams with Closed and rejects later requests; other streams continue", async () => {
    const server = silentServer();
    const [mine, theirs] = [borrowTransport(server.send), borrowTransport(server.send)];
    const bodies = await Promise.all(
      [mine, theirs].map(async ({ send }) => {
        const { body } = await send({ ...call, mode: "stream" });
        const chunks = body[Symbol.asyncIterator]();
        expect(await chunks.next()).toEqual({ done: false, value: Uint8Array.of(1) });
        return chunks;
      }),
    );
    const [read = never(), other = never()] = bodies.map((chunks) => chunks.next());
    await mine.close();
    await mine.close();
    expect((await failure(read)).code).toBe("Closed");
    const late = await failure(mine.send(call));
    expect([late.code, late.request]).toEqual(["Closed", { method: "GET", path: "/version" }]);
    expect(late.hint).toContain("`return await`");
    expect(server.ended()).toBe(1);
    await theirs.close();
    expect((await failure(other)).code).toBe("Closed");
  });

  test("closing it ends a call without a response with Closed", async () => {
    const { send, close } = borrowTransport(never);
    const waiting = send(call);
    await close();
    expect((await failure(waiting)).code).toBe("Closed");
  });

  test("closing it ends a body at its next chunk, and cancels bodies that arrive later", async () => {
    let ended = 0;
    async function* body() {
      try {
        yield Uint8Array.of(1);
        yield Uint8Array.of(2);
      } finally {
        ended += 1;
      }
    }
    const { send, close } = borrowTransport(async () => ({
      status: 200,
      headers: {},
      body: body(),
    }));
    const chunks = (await send(call)).body[Symbol.asyncIterator]();
    expect(await chunks.next()).toEqual({ done: false, value: Uint8Array.of(1) });
    await close();
    expect((await failure(chunks.next())).code).toBe("Closed");
    expect(ended).toBe(1);
  });

  test.each(["read to its end", "left", "left before it is read", "failed"])(
    "leaves no listener on the caller's signal once a body is %s",
    async (how) => {
      const { signal } = new AbortController();
      async function* body() {
        yield Uint8Array.of(1);
        if (how === "failed") {
          throw new Error("cut");
        }
      }
      const { send } = borrowTransport(async () => ({ status: 200, headers: {}, body: body() }));
      const response = await send({ ...call, mode: "stream", signal });
      expect(getEventListeners(signal, "abort")).toHaveLength(1);
      const chunks = response.body[Symbol.asyncIterator]();
      if (how === "left before it is read") {
        expect(await chunks.return?.()).toEqual({ done: true, value: undefined });
      } else {
        await chunks.next();
        await (how === "left" ? chunks.return?.() : chunks.next().catch(() => {}));
      }
      expect(getEventListeners(signal, "abort")).toEqual([]);
    },
  );

  test("leaves no listener after a failed call; a signal that is already aborted rejects", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const { send } = borrowTransport(() => Promise.reject(new Error("refused")));
    await expect(send({ ...call, signal })).rejects.toThrow("refused");
    expect(getEventListeners(signal, "abort")).toEqual([]);
    controller.abort(new Error("my reason"));
    await expect(borrowTransport(never).send({ ...call, signal })).rejects.toThrow("my reason");
  });

  test("passes on bytes that have already arrived unchanged", async () => {
    const { signal } = new AbortController();
    const bytes = [Uint8Array.of(1, 2), Uint8Array.of(3)];
    const body = { takeWhole: () => bytes, [Symbol.asyncIterator]: () => expect.unreachable() };
    const { send } = borrowTransport(async () => ({
      status: 200,
      headers: {},
      body: body as never,
    }));
    const response = await send({ ...call, signal });
    expect([...(await collectBytes(response.body, 10, "maxBodyBytes"))]).toEqual([1, 2, 3]);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("rejects a second read of a body instead of returning no bytes", async () => {
    await using server = await httpServer((_request, response) => {
      response.write("a");
      setImmediate(() => response.end("b"));
    });
    await using transport = createTransport({ server: server.url });
    const { send } = borrowTransport(transport.send);
    const read = await send(call);
    expect(await text(read)).toBe("ab");
    const left = await send(call);
    for await (const chunk of left.body) {
      expect(chunk.byteLength).toBeGreaterThan(0);
      break;
    }
    for (const response of [read, left]) {
      expect((await failure(text(response))).code).toBe("InvalidArgument");
    }
  });
});
