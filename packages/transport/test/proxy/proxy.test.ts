import type { AddressInfo, Server } from "node:net";
import { inspect } from "node:util";
import { createServer as createSocksServer } from "@pondwader/socks5-server";
import { KubeError } from "@typekube/core";
import { failure, get, text } from "@typekube/test-support/calls";
import { authority } from "@typekube/test-support/certificates";
import { manualClock } from "@typekube/test-support/manual-clock";
import { connectProxy } from "@typekube/test-support/proxy";
import { fixture, httpServer, httpsServer, rawServer } from "@typekube/test-support/servers";
import { socksProxy } from "@typekube/test-support/socks-proxy";
import { Server as ProxyServer } from "proxy-chain";
import { describe, expect, test } from "vitest";
import { bearerToken, createTransport } from "../../src/index.js";
import { parseProxy } from "../../src/proxy/proxy-address.js";
import { http2Server } from "../helpers/http2-server.js";

const ca = fixture("ca.pem");
const basic = (pair: string) => `Basic ${Buffer.from(pair).toString("base64")}`;

describe("through an HTTP proxy", () => {
  test("H43, K13: calls share tunnels, TLS is with the server, and the proxy gets no token", async () => {
    await using server = await httpsServer("server", (request, response) =>
      response.end(request.headers.authorization),
    );
    await using proxy = await connectProxy();
    await using transport = createTransport({
      server: server.url,
      tls: { ca },
      auth: bearerToken("t"),
      connections: 4,
      proxy: proxy.url,
    });
    const bodies = await Promise.all(
      Array.from({ length: 50 }, async () => text(await transport.send(get()))),
    );
    expect(new Set(bodies)).toEqual(new Set(["Bearer t"]));
    expect(new Set(proxy.tunnels)).toEqual(new Set([`127.0.0.1:${server.port}`]));
    expect(proxy.tunnels.length).toBeLessThanOrEqual(4);
    expect(server.connections).toBe(proxy.tunnels.length);
  });

  test("H43: sends user and password of the proxy URL to the proxy only", async () => {
    await using server = await httpsServer("server", (request, response) =>
      response.end(JSON.stringify(request.headers)),
    );
    await using proxy = await connectProxy({ authorization: basic("me:can:ary") });
    const url = proxy.url.replace("//", "//me:can%3Aary@");
    await using transport = createTransport({ server: server.url, tls: { ca }, proxy: url });
    expect(await text(await transport.send(get()))).not.toContain("proxy");
    await using wrong = createTransport({
      server: server.url,
      tls: { ca },
      proxy: proxy.url.replace("//", "//me:canary@"),
    });
    const error = await failure(wrong.send(get()));
    expect(error.code).toBe("NetworkError");
    expect(error.message).toContain(`the proxy ${proxy.url} refuses a tunnel`);
    expect(error.message).toContain("HTTP 407");
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("canary");
  });

  test("tunnels to an http server, gives a stream its own tunnel, and verifies the server's name", async () => {
    await using plain = await httpServer((request, response) => {
      response.write("a");
      if (request.url !== "/watch") {
        response.end("b");
      }
    });
    await using proxy = await connectProxy();
    await using transport = createTransport({
      server: plain.url,
      proxy: proxy.url,
      connections: 1,
    });
    const stream = await transport.send(get({ path: "/watch", mode: "stream" }));
    const watch = stream.body[Symbol.asyncIterator]();
    expect(Buffer.from((await watch.next()).value as Uint8Array).toString()).toBe("a");
    expect(await text(await transport.send(get()))).toBe("ab");
    expect(proxy.tunnels).toHaveLength(2);
    await watch.return?.();
    await using other = await httpsServer("other-name", (_request, response) => response.end());
    await using strict = createTransport({ server: other.url, tls: { ca }, proxy: proxy.url });
    expect((await failure(strict.send(get()))).code).toBe("Tls");
  });

  test("H43: verifies a proxy that speaks TLS with Node's authorities and the server's CA only", async () => {
    await using proxy = await connectProxy({ secure: true });
    await using plain = await httpServer((_request, response) => response.end("{}"));
    await using unknown = createTransport({ server: plain.url, proxy: proxy.url });
    const error = await failure(unknown.send(get()));
    expect(error.message).toContain(`the proxy ${proxy.url} cannot be reached`);
    expect(proxy.tunnels).toHaveLength(0);
    await using server = await httpsServer("server", (_request, response) => response.end("{}"));
    const pair = { cert: fixture("client.pem"), key: fixture("client.key.pem") };
    await using known = createTransport({
      server: server.url,
      tls: { ca, ...pair },
      proxy: proxy.url,
    });
    expect(await text(await known.send(get()))).toBe("{}");
    // client-go presents the user's certificate to the proxy too; here only the server gets it.
    expect(proxy.clients).toEqual([]);
    expect(proxy.tunnels).toHaveLength(1);
  });

  test("H43: proxyCa replaces all other authorities of the proxy", async () => {
    await using proxy = await connectProxy({ secure: true });
    await using plain = await httpServer((_request, response) => response.end("{}"));
    await using server = await httpsServer("server", (_request, response) => response.end("{}"));
    await using right = createTransport({ server: plain.url, proxy: proxy.url, proxyCa: ca });
    expect(await text(await right.send(get()))).toBe("{}");
    await using other = await authority();
    const options = { server: server.url, tls: { ca }, proxy: proxy.url };
    await using wrong = createTransport({ ...options, proxyCa: other.ca });
    expect((await failure(wrong.send(get()))).message).toContain("cannot be reached");
    await using broken = createTransport({ ...options, tls: { insecureSkipVerify: true } });
    expect((await failure(broken.send(get()))).message).toContain("cannot be reached");
    expect(() => createTransport({ ...options, proxyCa: "canary" })).toThrow(
      expect.objectContaining({ code: "Config" }),
    );
  });

  test.each(["calls", "streams over HTTP/2"])(
    "H43: works with a third-party proxy and a login (%s)",
    async (mode) => {
      const targets: string[] = [];
      const proxy = new ProxyServer({
        port: 0,
        host: "127.0.0.1",
        prepareRequestFunction({ username, password, hostname, port }) {
          targets.push(`${hostname}:${port}`);
          return { requestAuthentication: username !== "me" || password !== "can:ary" };
        },
      });
      await proxy.listen();
      try {
        await using server = await http2Server((_request, response) => response.end("{}"));
        const url = `http://me:can%3Aary@127.0.0.1:${proxy.port}`;
        const options = { server: server.url, tls: { ca }, connections: 3 };
        await using transport = createTransport({ ...options, proxy: url });
        const request = get(mode === "calls" ? {} : { mode: "stream" });
        const bodies = await Promise.all(
          Array.from({ length: 30 }, async () => text(await transport.send(request))),
        );
        expect(new Set(bodies)).toEqual(new Set(["{}"]));
        expect(new Set(targets)).toEqual(new Set([`127.0.0.1:${server.port}`]));
        expect(targets.length).toBeLessThanOrEqual(3);
        await using wrong = createTransport({ ...options, proxy: url.replace("me", "you") });
        const error = await failure(wrong.send(request));
        expect(error.message).toContain("HTTP 407");
        expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("ary@");
      } finally {
        await proxy.close(true);
      }
    },
  );

  test.each([
    ["no HTTP", "canary\r\n\r\n", "does not speak HTTP"],
    ["a refusal", "HTTP/1.1 403 Forbidden\r\nx: canary\r\n\r\n", "HTTP 403"],
    [
      "headers that do not end",
      `HTTP/1.1 200 OK\r\nx: ${"canary".repeat(4000)}`,
      "more than 16384 bytes",
    ],
    [
      "bytes after its response",
      "HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\nx: canary\r\ncontent-length: 2\r\n\r\n{}",
      "unexpected bytes",
    ],
  ])(
    "a proxy that responds with %s: an error that names the proxy",
    async (_name, response, expected) => {
      await using proxy = await connectProxy({ reply: response });
      await using transport = createTransport({ server: "http://kube.test:1", proxy: proxy.url });
      const error = await failure(transport.send(get({ method: "POST" })));
      expect(error.message).toContain(expected);
      expect(error.message).toContain(proxy.url);
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("canary");
    },
  );

  test("with a connect timeout of 0 only the call's time limits a tunnel", async () => {
    await using proxy = await connectProxy();
    await using server = await httpServer((_request, response) => response.end("{}"));
    await using transport = createTransport({
      server: server.url,
      proxy: proxy.url,
      connectTimeoutMs: 0,
    });
    expect(await text(await transport.send(get({ method: "POST" })))).toBe("{}");
  });

  test("reports a proxy that refuses, a proxy that stays silent, and a transport closed in between", async () => {
    await using gone = await rawServer(() => {});
    await gone[Symbol.asyncDispose]();
    await using refused = createTransport({ server: "http://kube.test", proxy: gone.url });
    expect((await failure(refused.send(get()))).message).toContain(
      "cannot be reached (ECONNREFUSED)",
    );
    const begun: (() => void)[] = [];
    await using silent = await rawServer(() => begun.shift()?.());
    for (const end of ["time", "close"] as const) {
      const clock = manualClock();
      const connected = new Promise<void>((resolve) => begun.push(resolve));
      const options = {
        server: "http://kube.test",
        proxy: silent.url,
        clock,
        connectTimeoutMs: 5000,
      };
      const transport = createTransport(options);
      const call = transport.send(get({ method: "POST" })).catch((error: KubeError) => error);
      await connected;
      if (end === "time") {
        clock.advance(5000);
      } else {
        await transport.close();
      }
      expect(await call).toBeInstanceOf(KubeError);
      expect(await call).toMatchObject({ code: end === "time" ? "ConnectionTimeout" : "Closed" });
      await transport.close();
    }
    await silent.closed(2);
  });

  test.each(["socks4://u:canary@p:1080", "ftp://canary", "canary", "http://"])(
    "K13: rejects %s without showing it",
    (url) => {
      try {
        parseProxy(url);
        expect.unreachable();
      } catch (error) {
        expect(error).toMatchObject({ code: "Config" });
        expect(inspect(error)).not.toContain("canary");
      }
    },
  );

  test.each([
    ["http://p", "http", 80],
    ["https://p", "https", 443],
    ["HTTP://p:3128/", "http", 3128],
    ["http://p:443", "http", 443],
    ["socks5://p", "socks5", 1080],
    ["socks5h://p:80", "socks5", 80],
  ])("K13: parses the proxy URL %s", (url, kind, port) => {
    expect(parseProxy(url)).toMatchObject({ kind, port, hostname: "p", login: undefined });
  });
});

describe("through a SOCKS 5 proxy", () => {
  test("H43: works with a third-party proxy; a wrong login is an error", async () => {
    await using server = await httpsServer("server", (_request, response) => response.end("{}"));
    const requested: string[] = [];
    const proxy = createSocksServer({ auth: { username: "me", password: "canary" } });
    proxy.setRulesetValidator(({ destAddress, destPort }) => {
      requested.push(`${destAddress}:${destPort}`);
      return true;
    });
    const port = await new Promise<number>((resolve) => {
      // Port 0 is any free port; the library does not expose its listener.
      const { server: listener } = proxy as unknown as { server: Server };
      proxy.listen(0, "127.0.0.1", () => resolve((listener.address() as AddressInfo).port));
    });
    try {
      const through = (login: string) => ({
        server: server.url,
        tls: { ca },
        proxy: `socks5://${login}@127.0.0.1:${port}`,
      });
      await using transport = createTransport(through("me:canary"));
      expect(await text(await transport.send(get()))).toBe("{}");
      expect(requested).toEqual([`127.0.0.1:${server.port}`]);
      await using stranger = createTransport(through("me:wrong"));
      expect((await failure(stranger.send(get()))).message).toContain("rejected the credentials");
    } finally {
      await new Promise((resolve) => proxy.close(resolve));
    }
  });

  test("K13, H43: works with and without a login; TLS is with the server", async () => {
    await using server = await httpsServer("server", (_request, response) => response.end("{}"));
    for (const login of [undefined, "me:canary"]) {
      await using proxy = await socksProxy(login === undefined ? {} : { login });
      const url = `socks5://${login === undefined ? "" : `${login}@`}127.0.0.1:${proxy.port}`;
      const options = { server: server.url, tls: { ca }, connections: 2, proxy: url };
      await using transport = createTransport(options);
      const bodies = await Promise.all(
        Array.from({ length: 20 }, async () => text(await transport.send(get()))),
      );
      expect(new Set(bodies)).toEqual(new Set(["{}"]));
      expect(new Set(proxy.tunnels)).toEqual(new Set([`1:127.0.0.1:${server.port}`]));
      expect(proxy.tunnels.length).toBeLessThanOrEqual(2);
    }
  });

  test("sends names unresolved and IPv6 addresses as bytes; accepts a response byte by byte", async () => {
    await using server = await httpServer((_request, response) => response.end("{}"));
    await using proxy = await socksProxy({ target: server.port, byByte: true });
    for (const host of ["no.such.name.test:6443", "[fd00::1:2]:8080"]) {
      const options = { server: `http://${host}`, proxy: `socks5://127.0.0.1:${proxy.port}` };
      await using transport = createTransport(options);
      expect(await text(await transport.send(get()))).toBe("{}");
    }
    expect(proxy.tunnels).toEqual(["3:no.such.name.test:6443", "4:fd00:0:0:0:0:0:1:2:8080"]);
  });

  test.each([
    ["wrong proxy credentials", { login: "me:right" }, "rejected the credentials"],
    ["a refusal", { reply: 2 }, "refuses a tunnel to kube.test:80 (not allowed by its rules)"],
    [
      "a server that is not a SOCKS proxy",
      { raw: "HTTP/1.1 400 canary\r\n\r\n" },
      "does not speak SOCKS 5",
    ],
  ])("%s: an error that names the proxy without its password", async (_name, options, expected) => {
    await using proxy = await socksProxy(options);
    const url = `socks5://me:canary@127.0.0.1:${proxy.port}`;
    await using transport = createTransport({ server: "http://kube.test", proxy: url });
    const error = await failure(transport.send(get({ method: "POST" })));
    expect(error.message).toContain(`the proxy socks5://127.0.0.1:${proxy.port} ${expected}`);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("canary");
  });
});
