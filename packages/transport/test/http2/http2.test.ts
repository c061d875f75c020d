import { execFile } from "node:child_process";
import { constants, type ServerHttp2Stream } from "node:http2";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { deferred, failure, get, text } from "@typekube/test-support/calls";
import { manualClock } from "@typekube/test-support/manual-clock";
import { connectProxy } from "@typekube/test-support/proxy";
import { fixture, httpsServer } from "@typekube/test-support/servers";
import { socksProxy } from "@typekube/test-support/socks-proxy";
import { describe, expect, test } from "vitest";
import { refusalMs } from "../../src/http2/http2-session.js";
import { createTransport, type TransportOptions } from "../../src/index.js";
import { type Http2TestServer, http2Server, relay } from "../helpers/http2-server.js";

const ca = fixture("ca.pem");
const watch = get({ path: "/api?watch=1", mode: "stream" });
const post = get({ method: "POST", body: Buffer.from("{}") });

function transportTo(
  server: { url: string } | { port: number },
  options: Partial<TransportOptions> = {},
) {
  const url = "url" in server ? server.url : `https://127.0.0.1:${server.port}`;
  return createTransport({ server: url, tls: { ca }, http2: true, ...options });
}

/** Resolves after several turns of the event loop, when data in transit inside this process has arrived. */
async function settled(): Promise<void> {
  for (let i = 0; i < 20; i += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Returns the first chunk of a body, and the iterator for the rest. */
async function firstOf(response: { body: AsyncIterable<Uint8Array> }) {
  const iterator = response.body[Symbol.asyncIterator]();
  const { value } = await iterator.next();
  return { iterator, text: Buffer.from(value ?? []).toString() };
}

/** Responds to watches with a line and leaves them open; responds to calls with their path. */
function watchesAndCalls(options = {}): Promise<Http2TestServer> {
  return http2Server((request, response) => {
    if (request.url.includes("watch")) {
      response.write("{}\n");
    } else {
      response.end(request.url);
    }
  }, options);
}

describe("choosing HTTP/2", () => {
  test("N1, N3, H34: 300 concurrent calls share connections, each with its own body", async () => {
    await using server = await watchesAndCalls();
    await using transport = transportTo(server);
    const paths = Array.from({ length: 300 }, (_, i) => `/api/${i}?x=%2F`);
    await text(await transport.send(get()));
    const bodies = await Promise.all(
      paths.map(async (path) => text(await transport.send(get({ path })))),
    );
    expect(bodies).toEqual(paths);
    expect(server.protocols.every((name) => name === "h2")).toBe(true);
    expect(server.protocols.length).toBeLessThanOrEqual(4);
  });

  test("N3: by default streams share a connection, and calls use HTTP/1.1", async () => {
    await using server = await watchesAndCalls();
    await using transport = transportTo(server, { http2: undefined });
    const open = await Promise.all(Array.from({ length: 40 }, () => transport.send(watch)));
    expect(server.protocols).toEqual(["h2"]);
    expect(await text(await transport.send(get()))).toBe("/api");
    expect(server.protocols).toEqual(["h2", "http/1.1"]);
    await Promise.all(open.map(async (response) => (await firstOf(response)).iterator.return?.()));
  });

  test("http2: false offers only HTTP/1.1", async () => {
    await using server = await watchesAndCalls();
    await using transport = transportTo(server, { http2: false });
    const { iterator } = await firstOf(await transport.send(watch));
    expect(await text(await transport.send(get()))).toBe("/api");
    expect(server.protocols).toEqual(["http/1.1", "http/1.1"]);
    await iterator.return?.();
  });

  test("without HTTP/2 on the server no handshake is wasted; it is offered again after ten minutes", async () => {
    const clock = manualClock();
    let requested = 0;
    await using server = await httpsServer(
      "server",
      (request, response) => {
        if (request.url?.includes("watch")) {
          response.write("{}\n");
        } else {
          response.end("{}");
        }
      },
      {
        ALPNCallback: ({ protocols }) => {
          requested += protocols.includes("h2") ? 1 : 0;
          return "http/1.1";
        },
      },
    );
    await using transport = transportTo(server, { clock });
    await Promise.all(Array.from({ length: 5 }, () => transport.send(watch)));
    expect(server.connections).toBe(5);
    expect(requested).toBe(1);
    expect(await text(await transport.send(get()))).toBe("{}");
    expect(requested).toBe(1);
    clock.advance(10 * 60_000);
    await transport.send(watch);
    expect(requested).toBe(2);
    expect(server.connections).toBe(7);
  });

  test.each(["call", "stream"] as const)(
    "a server that requires HTTP/1.1 for a %s gets it, POST included; retries HTTP/2 after ten minutes",
    async (mode) => {
      await using server = await http2Server((request, response) => {
        if (request.httpVersion === "2.0") {
          request.stream.close(constants.NGHTTP2_HTTP_1_1_REQUIRED);
        } else {
          response.end(request.method);
        }
      });
      const clock = manualClock();
      await using transport = transportTo(server, { clock });
      expect(await text(await transport.send({ ...post, mode }))).toBe("POST");
      expect(server.protocols).toEqual(["h2", "http/1.1"]);
      expect(await text(await transport.send(get({ mode })))).toBe("GET");
      expect(server.protocols.slice(2)).not.toContain("h2");
      clock.advance(10 * 60_000);
      const before = server.protocols.length;
      expect(await text(await transport.send(get({ mode })))).toBe("GET");
      expect(server.protocols.slice(before)).toContain("h2");
    },
  );

  test("closes a connection that only found out that the server has no HTTP/2 and is not needed", async () => {
    const clock = manualClock();
    await using server = await httpsServer("server", (_request, response) => response.end("{}"));
    await using transport = transportTo(server, { clock });
    expect(await text(await transport.send(get()))).toBe("{}");
    for (let round = 1; round <= 3; round += 1) {
      // Setting the time of day back does not delay the next offer.
      clock.jump(-24 * 3_600_000);
      clock.advance(10 * 60_000);
      expect(await text(await transport.send(get()))).toBe("{}");
      expect(server.connections).toBe(1 + round);
      clock.advance(1_000);
      await server.closed(round);
    }
    expect(clock.pending).toBe(0);
  });

  test("opens more connections for more streams than the server allows on one", async () => {
    await using server = await watchesAndCalls({ settings: { maxConcurrentStreams: 2 } });
    await using transport = transportTo(server);
    const first = await firstOf(await transport.send(watch));
    const rest = await Promise.all(Array.from({ length: 4 }, () => transport.send(watch)));
    expect(rest).toHaveLength(4);
    expect(server.protocols).toEqual(["h2", "h2", "h2"]);
    // A free place is used again.
    await first.iterator.return?.();
    await settled();
    await transport.send(watch);
    expect(server.protocols).toHaveLength(3);
  });

  test("many streams before the server's limit is known all get a place, none fails", async () => {
    await using server = await watchesAndCalls({ settings: { maxConcurrentStreams: 2 } });
    await using transport = transportTo(server);
    const open = await Promise.all(Array.from({ length: 16 }, () => transport.send(watch)));
    expect((await Promise.all(open.map(firstOf))).every(({ text }) => text === "{}\n")).toBe(true);
    expect(server.protocols).toHaveLength(8);
  });

  test("calls wait when all allowed connections are full", async () => {
    const reply = deferred();
    let most = 0;
    let running = 0;
    await using server = await http2Server(
      async (request, response) => {
        running += 1;
        most = Math.max(most, running);
        if (request.url === "/first") {
          response.end("first");
        } else {
          await reply.promise;
          response.end(request.url);
        }
        running -= 1;
      },
      { settings: { maxConcurrentStreams: 3 } },
    );
    await using transport = transportTo(server, { connections: 2 });
    await text(await transport.send(get({ path: "/first" })));
    const calls = Array.from({ length: 20 }, async (_, i) =>
      text(await transport.send(get({ path: `/${i}` }))),
    );
    await settled();
    reply.resolve();
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 20 }, (_, i) => `/${i}`));
    expect(server.protocols).toEqual(["h2", "h2"]);
    expect(most).toBeLessThanOrEqual(6);
  });

  test("request bodies, methods, status and headers are the same as over HTTP/1.1", async () => {
    await using server = await http2Server(async (request, response) => {
      let body = "";
      for await (const chunk of request) {
        body += String(chunk);
      }
      response.writeHead(201, { "X-Seen": request.headers["x-a"] ?? "", "set-cookie": ["a", "b"] });
      response.end(`${request.method} ${request.url} ${body}`);
    });
    await using transport = transportTo({ url: `${server.url}/prefix` });
    const big = "x".repeat(300_000);
    const response = await transport.send({
      ...post,
      headers: { "x-a": "1" },
      body: Buffer.from(big),
    });
    expect(response.status).toBe(201);
    expect(response.headers).toMatchObject({ "x-seen": "1", "set-cookie": "a, b" });
    expect(Reflect.ownKeys(response.headers).sort()).toEqual(["date", "set-cookie", "x-seen"]);
    expect(await text(response)).toBe(`POST /prefix/api ${big}`);
    const head = await transport.send(get({ method: "HEAD" }));
    expect(await text(head)).toBe("");
  });

  test("accepts a 304 that states the length of the body it omits", async () => {
    await using server = await http2Server((_, response) => {
      response.writeHead(304, { "content-length": 5 });
      response.end();
    });
    await using transport = transportTo(server);
    const response = await transport.send(get());
    expect(response.status).toBe(304);
    expect(await text(response)).toBe("");
  });

  test.each(["http", "socks5"])("H43: works through a proxy (%s)", async (kind) => {
    await using server = await watchesAndCalls();
    await using proxy = kind === "http" ? await connectProxy() : await socksProxy();
    await using transport = transportTo(server, { proxy: `${kind}://127.0.0.1:${proxy.port}` });
    await Promise.all(Array.from({ length: 10 }, () => transport.send(watch)));
    expect(await text(await transport.send(get()))).toBe("/api");
    expect(proxy.tunnels).toHaveLength(2);
    expect(server.protocols).toEqual(["h2", "h2"]);
  });
});

describe("sharing one connection", () => {
  test("N14: an unread stream pauses only its own sender", async () => {
    let written = 0;
    await using server = await http2Server((request, response) => {
      if (request.url !== "/flood") {
        response.end("x".repeat(100_000));
        return;
      }
      const chunk = Buffer.alloc(0x10000);
      const more = () => {
        while (!response.destroyed && written < 256 * 1024 * 1024) {
          written += chunk.byteLength;
          if (!response.write(chunk)) {
            response.once("drain", more);
            return;
          }
        }
      };
      more();
    });
    await using transport = transportTo(server);
    const floods = await Promise.all(
      Array.from({ length: 3 }, () => transport.send(get({ path: "/flood", mode: "stream" }))),
    );
    for (let i = 0; i < 50; i += 1) {
      const response = await transport.send(get({ mode: "stream" }));
      expect((await text(response)).length).toBe(100_000);
    }
    expect(server.protocols).toEqual(["h2"]);
    // Three windows of 4 MiB, and bytes in queues.
    expect(written).toBeLessThan(64 * 1024 * 1024);
    const { iterator } = await firstOf(floods[0] as (typeof floods)[0]);
    for (let read = 0; read < 16 * 1024 * 1024; ) {
      read += (await iterator.next()).value?.byteLength ?? 0;
    }
    await iterator.return?.();
  });

  test("N25: an abort resets its stream and keeps the connection for others", async () => {
    const reset = deferred<number>();
    await using server = await http2Server((request, response) => {
      if (request.url === "/slow") {
        request.stream.on("close", () => reset.resolve(request.stream.rstCode));
      } else {
        response.end("{}");
      }
    });
    await using transport = transportTo(server);
    await text(await transport.send(get()));
    const controller = new AbortController();
    const slow = transport.send(get({ path: "/slow", signal: controller.signal }));
    await settled();
    const reason = new Error("enough");
    controller.abort(reason);
    await expect(slow).rejects.toBe(reason);
    expect(await reset.promise).toBe(constants.NGHTTP2_CANCEL);
    expect(await text(await transport.send(get()))).toBe("{}");
    expect(server.protocols).toHaveLength(1);
  });

  test("N25: a call aborted before its connection is established is never sent", async () => {
    const seen: string[] = [];
    await using server = await http2Server((request, response) => {
      seen.push(request.url);
      response.end("{}");
    });
    await using transport = transportTo(server);
    const controller = new AbortController();
    const given = transport.send(get({ path: "/given-up", signal: controller.signal }));
    const next = transport.send(get({ path: "/next" }));
    controller.abort();
    await expect(given).rejects.toBe(controller.signal.reason);
    expect(await text(await next)).toBe("{}");
    expect(seen).toEqual(["/next"]);
  });

  test("N25: ten thousand calls aborted while their connection is pending do not harm the next", async () => {
    await using server = await http2Server((_request, response) => response.end("{}"));
    await using earlier = transportTo(server);
    // The first call of the process loads the connection code; the others should wait for a connection.
    await text(await earlier.send(get()));
    await using transport = transportTo(server);
    const controller = new AbortController();
    const given = Array.from({ length: 10_000 }, () =>
      transport.send(get({ signal: controller.signal })),
    );
    const next = transport.send(get());
    controller.abort();
    for (const { status } of await Promise.allSettled(given)) {
      expect(status).toBe("rejected");
    }
    expect(await text(await next)).toBe("{}");
  });

  test("N32: close ends calls and streams with Closed and closes the connections", async () => {
    await using server = await http2Server((request, response) => {
      if (request.url.includes("watch")) {
        response.write("{}\n");
      }
    });
    const clock = manualClock();
    const transport = transportTo(server, { clock });
    const stream = await transport.send(watch);
    const call = failure(transport.send(get()));
    await settled();
    await transport.close();
    expect((await call).code).toBe("Closed");
    expect((await failure(text(stream))).code).toBe("Closed");
    await server.closed(2);
    expect(clock.pending).toBe(0);
  });

  test("N32: an idle connection does not keep a finished script alive", async () => {
    await using server = await http2Server((_request, response) => response.end("{}"));
    const script = fileURLToPath(new URL("../helpers/finished-script.ts", import.meta.url));
    const loader = ["--import", "tsx", "--conditions=@typekube/source"];
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...loader, script, server.url, "idle", "http2"],
      {
        env: {
          ...process.env,
          NODE_EXTRA_CA_CERTS: fileURLToPath(
            new URL("../../../test-support/fixtures/ca.pem", import.meta.url),
          ),
        },
      },
    );
    expect(stdout.trim()).toBe("200");
    expect(server.protocols).toEqual(["h2"]);
  });

  test("S9: exchanges with a new certificate use another connection; streams on the old one end", async () => {
    await using server = await watchesAndCalls();
    const pair = { cert: fixture("client.pem"), key: fixture("client.key.pem") };
    let certificate: typeof pair | undefined;
    await using transport = transportTo(server, {
      auth: { headers: async () => ({}), certificate: async () => certificate },
    });
    const { iterator } = await firstOf(await transport.send(watch));
    certificate = pair;
    expect(await text(await transport.send(get()))).toBe("/api");
    expect((await failure(iterator.next())).code).toBe("ConnectionClosed");
    await server.closed(1);
    expect(server.protocols).toHaveLength(2);
  });
});

describe("H33: a silent connection", () => {
  test("is detected by a PING: a GET is retried on a new connection, a POST fails and is not retried", async () => {
    const seen: string[] = [];
    const arrived = deferred();
    await using server = await http2Server((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      if (seen.length > 3) {
        arrived.resolve();
      }
      if (request.url !== "/hang" || seen.length > 4) {
        response.end("{}");
      }
    });
    await using line = await relay(server.port);
    const clock = manualClock();
    await using transport = transportTo(line, { clock });
    await text(await transport.send(get()));
    const read = transport.send(get({ path: "/hang" }));
    const write = failure(transport.send({ ...post, path: "/hang" }));
    const stream = failure(transport.send({ ...watch, path: "/hang" }));
    await arrived.promise;
    void line.freeze();
    clock.advance(30_000);
    await settled();
    clock.advance(15_000);
    expect(await write).toMatchObject({ code: "ConnectionReset", request: { method: "POST" } });
    expect((await write).message).toContain("no response to a PING within 15000 ms");
    expect(await text(await read)).toBe("{}");
    expect((await stream).code).toBe("ConnectionReset");
    expect(seen).toEqual(["GET /api", "GET /hang", "POST /hang", "GET /hang", "GET /hang"]);
    expect(line.connections).toBe(3);
  });

  test("ends a body with ConnectionReset, naming the bytes received", async () => {
    await using server = await watchesAndCalls();
    await using line = await relay(server.port);
    const clock = manualClock();
    await using transport = transportTo(line, { clock, pingIntervalMs: 1000, pingTimeoutMs: 1000 });
    const { iterator } = await firstOf(await transport.send(watch));
    void line.freeze();
    const next = failure(iterator.next());
    clock.advance(2000);
    const error = await next;
    expect(error.code).toBe("ConnectionReset");
    expect(error.message).toContain("the body ended after 3 bytes");
    expect((await firstOf(await transport.send(watch))).text).toBe("{}\n");
    expect(line.connections).toBe(2);
  });

  test("stays open while PINGs are acknowledged", async () => {
    const writers: (() => void)[] = [];
    await using server = await http2Server((_request, response) => {
      response.write("a");
      writers.push(() => response.end("b"));
    });
    const clock = manualClock();
    await using transport = transportTo(server, { clock });
    const { iterator } = await firstOf(await transport.send(watch));
    const [session] = server.sessions;
    let pings = 0;
    session?.on("ping", () => {
      pings += 1;
    });
    for (let i = 0; i < 10; i += 1) {
      clock.advance(30_000);
      const before = i;
      while (pings <= before) {
        await settled();
      }
      await settled();
      clock.advance(15_000);
      await settled();
    }
    writers[0]?.();
    expect(Buffer.from((await iterator.next()).value ?? []).toString()).toBe("b");
    expect(pings).toBe(10);
    expect(server.protocols).toHaveLength(1);
  });

  test("is not pinged while idle, but at once when used after a long idle time", async () => {
    await using server = await watchesAndCalls();
    const clock = manualClock();
    await using transport = transportTo(server, { clock });
    await text(await transport.send(get()));
    await settled();
    expect(clock.pending).toBe(0);
    const [session] = server.sessions;
    let pings = 0;
    session?.on("ping", () => {
      pings += 1;
    });
    clock.advance(50_000);
    const used = transport.send(get());
    clock.advance(1);
    await text(await used);
    await settled();
    expect(pings).toBe(1);
    expect(server.protocols).toHaveLength(1);
  });
});

describe("a server that refuses connections or streams", () => {
  test("GOAWAY: active exchanges finish, later ones use another connection", async () => {
    const writers: (() => void)[] = [];
    await using server = await http2Server((_request, response) => {
      response.write("a");
      writers.push(() => response.end("b"));
    });
    await using transport = transportTo(server);
    const old = await firstOf(await transport.send(watch));
    for (const session of server.sessions) {
      session.close();
    }
    await settled();
    const next = await firstOf(await transport.send(watch));
    expect(server.protocols).toHaveLength(2);
    writers[0]?.();
    writers[1]?.();
    expect(Buffer.from((await old.iterator.next()).value ?? []).toString()).toBe("b");
    expect(await old.iterator.next()).toEqual({ done: true, value: undefined });
    expect(Buffer.from((await next.iterator.next()).value ?? []).toString()).toBe("b");
    await server.closed(1);
  });

  test.each([
    ["no error", constants.NGHTTP2_NO_ERROR],
    ["an error", constants.NGHTTP2_ENHANCE_YOUR_CALM],
  ])(
    "N26: after GOAWAY (%s) an unprocessed POST is sent again, a processed one fails",
    async (_name, code) => {
      const seen: string[] = [];
      let lost: unknown;
      await using server = await http2Server((request, response) => {
        seen.push(request.url);
        if (request.url === "/looked-at") {
          const { session, id = 0 } = request.stream;
          lost = session;
          // The next stream is being sent already.
          session?.goaway(code, id);
          setImmediate(() => session?.destroy());
        } else if (request.url === "/warm" || request.stream.session !== lost) {
          response.end("{}");
        }
      });
      await using transport = transportTo(server);
      await text(await transport.send(get({ path: "/warm" })));
      const looked = failure(transport.send({ ...post, path: "/looked-at" }));
      const unseen = transport.send({ ...post, path: "/unseen" });
      expect(["ConnectionClosed", "ConnectionReset"]).toContain((await looked).code);
      expect(await text(await unseen)).toBe("{}");
      expect(seen.filter((path) => path === "/looked-at")).toHaveLength(1);
    },
  );

  test("N26: a refused stream, even of a POST, is sent again at most three times", async () => {
    let refusals = 0;
    let refuse = 2;
    await using server = await http2Server((request, response) => {
      if (refuse > 0) {
        refuse -= 1;
        refusals += 1;
        request.stream.close(constants.NGHTTP2_REFUSED_STREAM);
      } else {
        response.end("{}");
      }
    });
    await using transport = transportTo(server);
    expect(await text(await transport.send(post))).toBe("{}");
    expect(refusals).toBe(2);
    refuse = Number.POSITIVE_INFINITY;
    refusals = 0;
    expect((await failure(transport.send(post))).code).toBe("ConnectionReset");
    expect(refusals).toBe(4);
  });

  test("a refusal reduces the streams of a connection only for a while", async () => {
    const responses: (() => void)[] = [];
    let refuse = 1;
    await using server = await http2Server((request, response) => {
      if (refuse > 0) {
        refuse -= 1;
        request.stream.close(constants.NGHTTP2_REFUSED_STREAM);
      } else if (request.url === "/held") {
        responses.push(() => response.end("{}"));
      } else {
        response.end("{}");
      }
    });
    const clock = manualClock();
    await using transport = transportTo(server, { connections: 1, clock });
    await text(await transport.send(get()));
    const calls = Array.from({ length: 5 }, async () =>
      text(await transport.send(get({ path: "/held" }))),
    );
    await settled();
    expect(responses).toHaveLength(1);
    clock.advance(refusalMs);
    responses.shift()?.();
    await calls[0];
    await settled();
    expect(responses).toHaveLength(4);
    for (const reply of responses) {
      reply();
    }
    expect(await Promise.all(calls)).toHaveLength(5);
  });

  test("a refused call is sent again after that time, even if no other call has ended", async () => {
    let open = 0;
    let refuse = 1;
    await using server = await http2Server((request, response) => {
      if (request.url === "/held") {
        open += 1;
      } else if (refuse > 0) {
        refuse -= 1;
        request.stream.close(constants.NGHTTP2_REFUSED_STREAM);
      } else {
        response.end("{}");
      }
    });
    const clock = manualClock();
    await using transport = transportTo(server, { connections: 1, clock });
    const held = Array.from({ length: 3 }, () => failure(transport.send(get({ path: "/held" }))));
    await expect.poll(() => open).toBe(3);
    const call = transport.send(get());
    await expect.poll(() => refuse).toBe(0);
    await settled();
    clock.advance(refusalMs);
    expect(await text(await call)).toBe("{}");
    await transport.close();
    expect(await Promise.all(held)).toHaveLength(3);
  });

  test.each([
    ["with an error code", constants.NGHTTP2_INTERNAL_ERROR],
    ["without one", constants.NGHTTP2_NO_ERROR],
    ["as cancelled", constants.NGHTTP2_CANCEL],
  ])("rejects a body that is reset %s as incomplete", async (_name, code) => {
    await using server = await http2Server((_request, response) => {
      response.writeHead(200, { "content-length": 100 });
      response.write("0123456789");
      setImmediate(() => response.stream.close(code));
    });
    await using transport = transportTo(server);
    const error = await failure(transport.send(post).then(text));
    expect(error.code).toBe("ConnectionClosed");
    expect(error.message).toContain("the body ended after 10 bytes of 100");
  });

  test.each([
    ["with an error code", constants.NGHTTP2_INTERNAL_ERROR],
    ["without one", constants.NGHTTP2_NO_ERROR],
  ])(
    "rejects a body without content-length that is reset %s as incomplete",
    async (_name, code) => {
      await using server = await http2Server((_request, response) => {
        response.write("0123456789");
        setImmediate(() => response.stream.close(code));
      });
      await using transport = transportTo(server);
      const error = await failure(transport.send(post).then(text));
      expect(error.code).toBe("ConnectionClosed");
      expect(error.message).toContain("the body ended after 10 bytes");
    },
  );

  test("a stream closed before its headers is ConnectionReset", async () => {
    await using server = await http2Server((request) =>
      request.stream.close(constants.NGHTTP2_NO_ERROR),
    );
    await using transport = transportTo(server);
    expect((await failure(transport.send(post))).code).toBe("ConnectionReset");
  });

  test("delivers headers before bytes when both arrive at once", async () => {
    await using server = await http2Server((_request, response) => {
      response.writeHead(200, { "content-length": 500 });
      response.end("x".repeat(500));
    });
    await using transport = transportTo(server);
    for (let round = 0; round < 20; round += 1) {
      const bodies = await Promise.all(
        Array.from({ length: 50 }, async () => text(await transport.send(get()))),
      );
      expect(bodies.every((body) => body.length === 500)).toBe(true);
    }
  });

  test("a broken connection fails all its exchanges, and later ones use another", async () => {
    const streams: ServerHttp2Stream[] = [];
    await using server = await http2Server((request, response) => {
      if (request.url === "/next") {
        response.end("{}");
        return;
      }
      streams.push(response.stream);
      if (request.url.includes("watch")) {
        response.write("abc");
      }
    });
    await using transport = transportTo(server);
    const body = await firstOf(await transport.send(watch));
    const rest = failure(body.iterator.next());
    const headers = failure(transport.send({ ...post, mode: "stream" }));
    while (streams.length < 2) {
      await settled();
    }
    for (const session of server.sessions) {
      session.destroy();
    }
    expect(["ConnectionClosed", "ConnectionReset"]).toContain((await rest).code);
    expect((await rest).message).toContain("after 3 bytes");
    expect((await headers).code).toBe("ConnectionReset");
    expect(await text(await transport.send(get({ path: "/next", mode: "stream" })))).toBe("{}");
    expect(server.protocols).toHaveLength(2);
  });
});

describe("hostile peers over HTTP/2", () => {
  test("response headers beyond the limit are TooLarge", async () => {
    await using server = await http2Server((_request, response) => {
      response.writeHead(200, { x: "y".repeat(30_000) });
      response.end("{}");
    });
    await using transport = transportTo(server, { limits: { maxHeaderBytes: 20_000 } });
    expect((await failure(transport.send(post))).code).toBe("TooLarge");
  });

  test("bytes that are not HTTP/2 cause an error with a code, and no crash", async () => {
    const tls = await import("node:tls");
    const server = tls.createServer(
      {
        cert: fixture("server.pem"),
        key: fixture("server.key.pem"),
        ALPNProtocols: ["h2"],
      },
      (socket) => {
        socket.on("error", () => {});
        socket.resume();
        socket.write("SSH-2.0-OpenSSH_9.6 and a lot more that is no frame\r\n".repeat(10));
      },
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as import("node:net").AddressInfo;
    {
      await using transport = transportTo({ port });
      expect(["ConnectionReset", "NotKubernetes"]).toContain(
        (await failure(transport.send(post))).code,
      );
    }
    await new Promise((resolve) => server.close(resolve));
  });

  test("rejects a line feed in a header or a path before anything is sent", async () => {
    await using server = await watchesAndCalls();
    await using transport = transportTo(server);
    for (const request of [
      get({ headers: { authorization: "Bearer canary\nx: y" } }),
      get({ path: "/a b" }),
      get({ path: "/a\nb" }),
    ]) {
      const error = await failure(transport.send(request));
      expect(error.code).toBe("InvalidArgument");
      expect(error.message).not.toContain("canary");
    }
    expect(await text(await transport.send(get()))).toBe("/api");
    expect(server.protocols).toHaveLength(1);
  });

  test.each(["a b", "x\ny", "", ":authority", "connection", "te", "TE", "Transfer-Encoding"])(
    "rejects an invalid header, %j, without affecting others, even as the first on its connection",
    async (name) => {
      await using server = await watchesAndCalls();
      await using transport = transportTo(server);
      const odd = get({ headers: { [name]: "close" } });
      expect((await failure(transport.send(odd))).code).toBe("InvalidArgument");
      const { iterator } = await firstOf(await transport.send(watch));
      expect((await failure(transport.send(odd))).code).toBe("InvalidArgument");
      expect(await text(await transport.send(get()))).toBe("/api");
      await iterator.return?.();
      expect(server.sessions.size).toBe(2);
    },
  );

  test("the wrong CA is a Tls error for every waiting call", async () => {
    await using server = await watchesAndCalls();
    await using transport = transportTo(server, { tls: {} });
    const errors = await Promise.all(
      Array.from({ length: 5 }, () => failure(transport.send(post))),
    );
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(["Tls"]));
  });
});
