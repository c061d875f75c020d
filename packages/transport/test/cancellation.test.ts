import { getEventListeners } from "node:events";
import { deferred, failure, get, text } from "@typekube/test-support/calls";
import { manualClock } from "@typekube/test-support/manual-clock";
import { httpServer, onRequest, rawServer } from "@typekube/test-support/servers";
import { describe, expect, test } from "vitest";
import { type Credentials, createTransport } from "../src/index.js";
import { errorFromResponse } from "../src/internal.js";

const chunkedHead = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

describe("abort", () => {
  test("N25: an aborted signal fails the call with the signal's reason, and nothing is sent", async () => {
    await using server = await httpServer((_request, response) => response.end("{}"));
    await using transport = createTransport({ server: server.url });
    const reason = { why: "the user left" };
    const call = transport.send(get({ signal: AbortSignal.abort(reason) }));
    await expect(call).rejects.toBe(reason);
    expect(server.connections).toBe(0);
  });

  test("N25: an abort before the headers rejects with the reason and releases the connection", async () => {
    const arrived = deferred();
    await using server = await rawServer((socket) => onRequest(socket, () => arrived.resolve()));
    await using transport = createTransport({ server: server.url });
    const controller = new AbortController();
    const call = transport.send(get({ signal: controller.signal }));
    await arrived.promise;
    const reason = new Error("enough");
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    await server.closed(1);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });

  test("N25: an abort while the body is read rejects with the reason and drops queued bytes", async () => {
    await using server = await rawServer((socket) =>
      onRequest(socket, () => socket.write(`${chunkedHead}1\r\na\r\n1\r\nb\r\n`)),
    );
    await using transport = createTransport({ server: server.url });
    const controller = new AbortController();
    const response = await transport.send(get({ signal: controller.signal, mode: "stream" }));
    const seen: string[] = [];
    const reading = (async () => {
      for await (const chunk of response.body) {
        seen.push(Buffer.from(chunk).toString());
        controller.abort("plain text as reason");
      }
    })();
    await expect(reading).rejects.toBe("plain text as reason");
    expect(seen).toHaveLength(1);
    await server.closed(1);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });

  test("N25: an abort ends a pending read of the body", async () => {
    await using server = await rawServer((socket) =>
      onRequest(socket, () => socket.write(`${chunkedHead}1\r\na\r\n`)),
    );
    await using transport = createTransport({ server: server.url });
    const controller = new AbortController();
    const response = await transport.send(get({ signal: controller.signal, mode: "stream" }));
    const iterator = response.body[Symbol.asyncIterator]();
    await iterator.next();
    const waiting = iterator.next();
    controller.abort();
    await expect(waiting).rejects.toBe(controller.signal.reason);
    await server.closed(1);
  });

  test("N25: an abort still takes effect after a small body has arrived completely", async () => {
    await using server = await httpServer((_request, response) => response.end("{}"));
    await using transport = createTransport({ server: server.url });
    const controller = new AbortController();
    const response = await transport.send(get({ signal: controller.signal }));
    controller.abort();
    await expect(text(response)).rejects.toBe(controller.signal.reason);
  });

  test("an aborted stream does not reconnect", async () => {
    await using server = await rawServer((socket) =>
      onRequest(socket, () => socket.write(chunkedHead)),
    );
    const transport = createTransport({ server: server.url });
    const controller = new AbortController();
    await transport.send(get({ signal: controller.signal, mode: "stream" }));
    controller.abort();
    await server.closed(1);
    await transport.close();
    expect(server.connections).toBe(1);
  });

  test("an abort of an unread body causes no unhandled error and releases the connection", async () => {
    await using server = await rawServer((socket) =>
      onRequest(socket, () => socket.write(chunkedHead)),
    );
    await using transport = createTransport({ server: server.url });
    const controller = new AbortController();
    await transport.send(get({ signal: controller.signal, mode: "stream" }));
    controller.abort();
    await server.closed(1);
  });

  test("aborting a queued call leaves the connection in use alone", async () => {
    const release = deferred();
    await using server = await httpServer(async (request, response) => {
      if (request.url === "/slow") {
        await release.promise;
      }
      response.end(request.url);
    });
    await using transport = createTransport({ server: server.url, connections: 1 });
    const slow = transport.send(get({ path: "/slow" }));
    const controller = new AbortController();
    const queued = transport.send(get({ signal: controller.signal }));
    const next = transport.send(get({ path: "/next" }));
    controller.abort();
    await expect(queued).rejects.toBe(controller.signal.reason);
    release.resolve();
    expect(await text(await slow)).toBe("/slow");
    expect(await text(await next)).toBe("/next");
    expect(server.connections).toBe(1);
  });

  test("N25: 10,000 calls leave no listener on a shared signal", async () => {
    await using server = await httpServer((_request, response) => response.end("{}"));
    await using transport = createTransport({ server: server.url });
    const { signal } = new AbortController();
    let most = 0;
    const caller = async () => {
      for (let i = 0; i < 1000; i += 1) {
        const response = await transport.send(get({ signal }));
        most = Math.max(most, getEventListeners(signal, "abort").length);
        await text(response);
      }
    };
    await Promise.all(Array.from({ length: 10 }, caller));
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
    expect(most).toBeLessThanOrEqual(10);
  });
});

test("N25: forty concurrent calls may share a signal without a leak warning from Node", async () => {
  await using server = await httpServer((_request, response) => response.end("{}"));
  const slow: Credentials = {
    headers: async (call) => {
      expect(call?.signal.aborted).toBe(false);
      await new Promise((resolve) => setImmediate(resolve));
      return {};
    },
  };
  await using transport = createTransport({
    server: server.url,
    auth: slow,
    credentialsOverHttp: true,
  });
  const { signal } = new AbortController();
  const warned: Error[] = [];
  const note = (warning: Error) => warned.push(warning);
  process.on("warning", note);
  try {
    const calls = Array.from({ length: 40 }, () => transport.send(get({ signal })));
    await Promise.all(calls.map(async (call) => text(await call)));
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off("warning", note);
  }
  expect(warned).toEqual([]);
});

describe("ending the iteration early", () => {
  test("break closes the connection, and later calls get another one", async () => {
    await using server = await rawServer((socket) =>
      onRequest(socket, (head) =>
        head.startsWith("GET /watch")
          ? socket.write(`${chunkedHead}1\r\na\r\n`)
          : socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"),
      ),
    );
    await using transport = createTransport({ server: server.url, connections: 1 });
    const response = await transport.send(get({ path: "/watch" }));
    for await (const _chunk of response.body) {
      break;
    }
    await server.closed(1);
    expect(await text(await transport.send(get()))).toBe("{}");
    expect(server.connections).toBe(2);
  });

  test("a body can be read only once", async () => {
    await using server = await httpServer((_request, response) => response.end("{}"));
    await using transport = createTransport({ server: server.url });
    const response = await transport.send(get());
    await text(response);
    expect((await failure(text(response))).code).toBe("InvalidArgument");
  });
});

describe("deadlines", () => {
  test("H32: missing headers are DeadlineExceeded, with phase and limit", async () => {
    const arrived = deferred();
    const clock = manualClock();
    await using server = await rawServer((socket) => onRequest(socket, () => arrived.resolve()));
    await using transport = createTransport({ server: server.url, clock });
    const call = failure(transport.send(get({ timeoutMs: 1000, path: "/api?token=hush" })));
    await arrived.promise;
    clock.advance(1000);
    const error = await call;
    expect(error.code).toBe("DeadlineExceeded");
    expect(error.message).toContain("no response headers within 1000 ms (GET /api)");
    await server.closed(1);
    expect(clock.pending).toBe(0);
  });

  test("H32: the deadline of a call covers its body", async () => {
    const clock = manualClock();
    await using server = await rawServer((socket) =>
      onRequest(socket, () => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc")),
    );
    await using transport = createTransport({ server: server.url, clock });
    const response = await transport.send(get({ timeoutMs: 1000 }));
    const iterator = response.body[Symbol.asyncIterator]();
    await iterator.next();
    const rest = failure(iterator.next());
    clock.advance(999);
    clock.advance(1);
    expect((await rest).message).toContain("not complete within 1000 ms, 3 bytes arrived");
    await server.closed(1);
  });

  test.each([-3_600_000, 3_600_000])(
    "H32: a time of day that jumps by %d ms makes no call end early or late",
    async (jumpMs) => {
      const clock = manualClock();
      const arrived = deferred();
      const response = deferred();
      await using server = await rawServer((socket) =>
        onRequest(socket, () => {
          arrived.resolve();
          void response.promise.then(() =>
            socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc"),
          );
        }),
      );
      await using transport = createTransport({
        server: server.url,
        clock,
        headersTimeoutMs: 500,
      });
      const sent = transport.send(get({ timeoutMs: 1000 }));
      await arrived.promise;
      clock.jump(jumpMs);
      response.resolve();
      const iterator = (await sent).body[Symbol.asyncIterator]();
      await iterator.next();
      const rest = failure(iterator.next());
      clock.advance(999);
      expect(clock.pending).toBe(1);
      clock.advance(1);
      expect((await rest).message).toContain("not complete within 1000 ms, 3 bytes arrived");
    },
  );

  test("H32: waiting for a free connection counts towards the deadline and is named in the error", async () => {
    const arrived = deferred();
    const clock = manualClock();
    await using server = await rawServer((socket) => onRequest(socket, () => arrived.resolve()));
    await using transport = createTransport({ server: server.url, clock, connections: 1 });
    const first = failure(transport.send(get({ timeoutMs: 5000 })));
    await arrived.promise;
    const second = failure(transport.send(get({ timeoutMs: 1000 })));
    clock.advance(1000);
    expect((await second).message).toContain("was available within 1000 ms");
    clock.advance(4000);
    expect((await first).message).toContain("no response headers within 5000 ms");
  });

  test("H32 [+]: a stream has a deadline for its headers only", async () => {
    const clock = manualClock();
    const more = deferred();
    await using server = await rawServer((socket) =>
      onRequest(socket, (head) => {
        if (head.startsWith("GET /watch")) {
          socket.write(`${chunkedHead}1\r\na\r\n`);
          void more.promise.then(() => socket.write("1\r\nb\r\n0\r\n\r\n"));
        }
      }),
    );
    await using transport = createTransport({ server: server.url, clock, headersTimeoutMs: 2000 });
    const watch = await transport.send(get({ path: "/watch", mode: "stream" }));
    clock.advance(24 * 3600 * 1000);
    more.resolve();
    expect(await text(watch)).toBe("ab");

    const silent = failure(transport.send(get({ path: "/silent", mode: "stream" })));
    clock.advance(2000);
    expect((await silent).code).toBe("DeadlineExceeded");
  });

  test("N31: an error response to a stream is reported in time even when its text never arrives", async () => {
    const clock = manualClock();
    await using server = await rawServer((socket) =>
      onRequest(socket, () => socket.write("HTTP/1.1 403 Forbidden\r\ncontent-length: 9\r\n\r\n")),
    );
    await using transport = createTransport({ server: server.url, clock, headersTimeoutMs: 2000 });
    const request = get({ path: "/watch", mode: "stream" });
    const error = errorFromResponse(request, await transport.send(request));
    expect(clock.pending).toBe(1);
    clock.advance(2000);
    expect(await error).toMatchObject({
      code: "Forbidden",
      cause: { code: "DeadlineExceeded", message: expect.stringContaining("within 2000 ms") },
    });
    await server.closed(1);
  });

  test("N32: a finished call leaves no timer behind", async () => {
    const clock = manualClock();
    await using server = await httpServer((_request, response) => response.end("{}"));
    await using transport = createTransport({ server: server.url, clock });
    await text(await transport.send(get()));
    expect(clock.pending).toBe(0);
  });
});

describe("close", () => {
  test("N32: ends active requests with Closed, can be called twice, and rejects later requests", async () => {
    const arrived = deferred();
    await using server = await rawServer((socket) =>
      onRequest(socket, (head) => {
        if (head.startsWith("GET /watch")) {
          socket.write(`${chunkedHead}1\r\na\r\n`);
        } else {
          arrived.resolve();
        }
      }),
    );
    const transport = createTransport({ server: server.url });
    const watch = await transport.send(get({ path: "/watch", mode: "stream" }));
    const call = failure(transport.send(get()));
    await arrived.promise;
    await Promise.all([transport.close(), transport.close()]);
    expect((await call).code).toBe("Closed");
    expect((await failure(text(watch))).code).toBe("Closed");
    expect((await failure(transport.send(get()))).code).toBe("Closed");
    await server.closed(2);
  });
});
