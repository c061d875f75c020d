import { once } from "node:events";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { connect as dial } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as dialTls } from "node:tls";
import { ConfigMap } from "@typekube/api/core/v1";
import { type ApiServer, type ListenOptions, startApiServer } from "@typekube/apiserver";
import { configMaps, readResponse } from "@typekube/test-support/api-calls";
import { connect, isUnauthorized } from "typekube";
import { createTransport } from "typekube/config";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let api: ApiServer;
beforeEach(async () => {
  api = await startApiServer({ users: [{ name: "jane", token: "jane-token" }] });
});
afterEach(() => api.close());

/** Writes bytes to a listener and reads until it closes the connection, or until `enough` returns true. */
function exchangeBytes(
  server: string,
  bytes: Buffer | string,
  enough: (text: string) => boolean = () => false,
): Promise<string> {
  const { hostname, port } = new URL(server);
  return new Promise((resolve) => {
    let text = "";
    const socket = dial(Number(port), hostname, () => socket.write(bytes));
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      if (enough(text)) {
        socket.destroy();
      }
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(text));
  });
}

/** Expects that a listener still responds. */
async function expectServing({
  server,
  token,
  ca,
}: {
  server: string;
  token: string;
  ca?: string;
}): Promise<void> {
  const transport = createTransport({ server, tls: { ca } });
  const headers = { authorization: `Bearer ${token}` };
  const request = { method: "GET", path: "/version", headers, mode: "call" } as const;
  expect((await readResponse(await transport.send(request))).body.major).toBe("1");
  await transport.close();
}

describe("listen()", () => {
  it("sends a warning beyond ASCII correctly, over HTTP/1.1 and HTTP/2", async () => {
    const listener = await api.listen();
    for (const http2 of [false, true]) {
      const received: string[] = [];
      await using client = await connect({
        ...listener.connectOptions(),
        transportOptions: { http2 },
      });
      const map = { metadata: { name: `m-${http2}` }, größe日: "1" };
      await client
        .resource(ConfigMap, "default")
        .create(map, { onWarning: (text) => void received.push(text) });
      expect(received).toEqual(['unknown field "größe日"']);
    }
  });

  it("§3.20: rejects requests without credentials, or with wrong ones", async () => {
    const listener = await api.listen({ tls: false });
    expect(listener.server).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(listener.token.length).toBeGreaterThanOrEqual(43);
    for (const path of ["/version", "/livez", configMaps]) {
      expect((await fetch(listener.server + path)).status).toBe(401);
    }
    const headers = { authorization: `Bearer ${listener.token}x` };
    expect((await fetch(`${listener.server}/version`, { headers })).status).toBe(401);
    const secure = await api.listen();
    await expectServing(secure.connectOptions());
    await expectServing({ ...secure.connectOptions(), token: "jane-token" });
    expect(api.requests.map(({ user }) => user)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      "system:admin",
      "jane",
    ]);
  });

  it.each(["0.0.0.0", "::", "192.0.2.1", "example.com"])(
    "listens on %s only with allowRemote",
    async (host) => {
      await expect(api.listen({ host })).rejects.toThrow(
        "would accept connections from other computers",
      );
    },
  );

  it("accepts requests as system:anonymous only with `anonymous: true`", async () => {
    const { server } = await api.listen({ tls: false, anonymous: true });
    expect((await fetch(`${server}/version`)).status).toBe(200);
    const headers = { authorization: "Bearer wrong" };
    expect((await fetch(`${server}/version`, { headers })).status).toBe(401);
    expect(api.requests[0]).toMatchObject({ user: "system:anonymous", protocol: "HTTP/1.1" });
  });

  it.each<[string, ListenOptions]>([
    ["listening on all addresses", { host: "0.0.0.0" }],
    ["listening on all IPv6 addresses", { host: "::" }],
    ["listening on a host name", { host: "example.com" }],
  ])("rejects %s without `allowRemote`", async (_, options) => {
    await expect(api.listen(options)).rejects.toMatchObject({ code: "InvalidArgument" });
  });

  it.each<[string, string, string]>([
    ["an empty bearer token", "", "must not be empty"],
    ["a bearer token with a space", "a b", "must not contain white space"],
    ["a bearer token with a line feed at its end", "token\n", "must not contain white space"],
  ])("rejects %s and names the reason", async (_, token, message) => {
    await expect(api.listen({ token })).rejects.toMatchObject({
      code: "InvalidArgument",
      message: expect.stringContaining(message),
    });
  });

  it("a token becomes invalid when its listener is closed", async () => {
    const first = await api.listen();
    const second = await api.listen();
    await first.close();
    await using client = await connect({ ...second.connectOptions(), token: first.token });
    await expect(client.version()).rejects.toSatisfy(isUnauthorized);
  });

  it("uses HTTP/2 over TLS with a certificate of its CA", async () => {
    const listener = await api.listen();
    expect(listener.server).toMatch(/^https:/);
    await using client = await connect({
      ...listener.connectOptions(),
      transportOptions: { http2: true },
    });
    const resource = client.resource(ConfigMap, "default");
    await resource.create({ metadata: { name: "a" }, data: { big: "x".repeat(300_000) } });
    expect((await resource.get("a")).data?.["big"]?.length).toBe(300_000);
    for await (const event of resource.watch({ resourceVersion: "0" })) {
      expect(event.type).toBe("ADDED");
      break;
    }
    expect(new Set(api.requests.map(({ protocol }) => protocol))).toEqual(new Set(["HTTP/2"]));
    await using older = await connect(listener.connectOptions());
    await older.version();
    expect(api.requests.at(-1)?.protocol).toBe("HTTP/1.1");
    await using blind = await connect({ server: listener.server, token: listener.token });
    await expect(blind.version()).rejects.toMatchObject({ code: "Tls" });
  });

  it("§3.20: identifies users by client certificates of its CA: common name, and organizations as groups", async () => {
    const listener = await api.listen();
    const user = { name: "carl", groups: ["ops", "dev"], uid: "u-7" };
    const { cert, key } = listener.clientCertificate(user);
    const { server, certificateAuthority: ca } = listener;
    await using client = await connect({ server, ca: ca ?? "", cert, key });
    expect(await client.whoAmI()).toMatchObject({
      username: "carl",
      uid: "u-7",
      groups: ["ops", "dev", "system:authenticated"],
    });
    const other = await startApiServer();
    const stranger = (await other.listen()).clientCertificate({ name: "carl" });
    await using unknown = await connect({ server, ca: ca ?? "", ...stranger });
    await expect(unknown.version()).rejects.toSatisfy(isUnauthorized);
    await other.close();
  });

  it.each([false, true])(
    "receives every impersonation value separately (HTTP/2: %s)",
    async (http2) => {
      const listener = await api.listen();
      await using client = await connect({
        ...listener.connectOptions(),
        transportOptions: { http2 },
        impersonate: { user: "bob", groups: ["a, b", "c"], extra: { "example.com/x": ["1", "2"] } },
      });
      expect(await client.whoAmI()).toMatchObject({
        username: "bob",
        groups: ["a, b", "c", "system:authenticated"],
        extra: { "example.com/x": ["1", "2"] },
      });
    },
  );

  it("writes a working kubeconfig that only its owner can read", async () => {
    const folder = await mkdtemp(join(tmpdir(), "typekube-listen-"));
    const path = join(folder, "config");
    const listener = await api.listen();
    await listener.writeKubeconfig(path);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await using client = await connect({ kubeconfig: path });
    expect((await client.whoAmI()).username).toBe("system:admin");
    expect(await readFile(path, "utf8")).toContain("current-context: typekube");
    await rm(folder, { recursive: true });
  });
});

describe("limits", () => {
  it("rejects a body, headers, watches and connections beyond them, and names the limit", async () => {
    const limits = { maxBodyBytes: 1_000, maxHeaderBytes: 4_000, maxWatchers: 1 };
    const { server, token } = await api.listen({ tls: false, limits });
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = JSON.stringify({ metadata: { name: "a" }, data: { a: "x".repeat(2_000) } });
    const large = await fetch(server + configMaps, { method: "POST", headers, body });
    expect([large.status, ((await large.json()) as { message: string }).message]).toEqual([
      413,
      "Request entity too large: limit is 1000",
    ]);
    const long = await fetch(`${server}/version`, {
      headers: { ...headers, a: "x".repeat(5_000) },
    });
    expect(long.status).toBe(431);
    const first = await fetch(`${server}${configMaps}?watch=1`, { headers });
    const second = await fetch(`${server}${configMaps}?watch=1`, { headers });
    expect([second.status, second.headers.get("retry-after")]).toEqual([429, "1"]);
    await first.body?.cancel();
    await expectServing({ server, token });
  });

  it("does not wait for missing headers, and keeps serving beside 1,000 such sockets", async () => {
    const listener = await api.listen({ tls: false, limits: { headersTimeoutMs: 300 } });
    const halves = Array.from({ length: 1_000 }, () =>
      exchangeBytes(listener.server, "GET /version HTTP/1.1\r\nhost: a\r\nx-slow: "),
    );
    await expectServing(listener.connectOptions());
    const responses = await Promise.all(halves);
    expect(new Set(responses.map((text) => text.slice(9, 12)))).toEqual(new Set(["408"]));
    await expectServing(listener.connectOptions());
  });

  it("does not wait for a missing TLS handshake", async () => {
    const listener = await api.listen({ limits: { headersTimeoutMs: 200 } });
    expect(await exchangeBytes(listener.server, "\x16\x03\x01")).toBe("");
    await expectServing(listener.connectOptions());
  });

  it("does not wait for HTTP/2 without requests; a quiet watch is a request", async () => {
    const listener = await api.listen({ limits: { idleTimeoutMs: 100 } });
    const { hostname: host, port } = new URL(listener.server);
    const ca = listener.certificateAuthority;
    await using client = await connect({
      ...listener.connectOptions(),
      transportOptions: { http2: true },
    });
    const resource = client.resource(ConfigMap, "default");
    const watch = resource.watch()[Symbol.asyncIterator]();
    const added = (async () => {
      for (;;) {
        const { value } = await watch.next();
        if (value?.type !== "BOOKMARK") {
          return value?.type;
        }
      }
    })();
    const idle = dialTls({ host, port: Number(port), ca, ALPNProtocols: ["h2"] });
    idle.on("error", () => {});
    idle.resume();
    await once(idle, "close");
    await using writer = await api.client();
    await writer.resource(ConfigMap, "default").create({ metadata: { name: "a" } });
    expect(await added).toBe("ADDED");
    await watch.return?.();
  });

  it("closes connections beyond the limit and keeps the earlier ones", async () => {
    const listener = await api.listen({ tls: false, limits: { maxConnections: 2 } });
    const { hostname, port } = new URL(listener.server);
    const held = [dial(Number(port), hostname), dial(Number(port), hostname)];
    await Promise.all(
      held.map((socket) => new Promise((resolve) => socket.once("connect", resolve))),
    );
    expect(await exchangeBytes(listener.server, "GET /version HTTP/1.1\r\n\r\n")).toBe("");
    for (const socket of held) {
      socket.destroy();
    }
  });

  it.each(["//", "//api:x", "http://[", "/%", "/%zz?%", "*", "?watch=1", "/../..", "a b"])(
    "responds to the invalid request target %s and keeps serving",
    async (target) => {
      const listener = await api.listen({ tls: false, anonymous: true });
      const response = await exchangeBytes(
        listener.server,
        `GET ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`,
      );
      expect(response).toMatch(/^HTTP\/1\.1 (200|400|403|404) /);
      expect((await fetch(`${listener.server}/version`)).status).toBe(200);
    },
  );

  it.each([
    ["no HTTP", "\x00\x01\x02garbage\r\n\r\n"],
    [
      "two lengths",
      "POST /api HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx",
    ],
    [
      "a content-length with chunked encoding",
      "POST /api HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    [
      "an invalid chunk size",
      "POST /version HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
    ],
    ["a carriage return in a header", "GET /version HTTP/1.1\r\nhost: a\r\nx: a\rb\r\n\r\n"],
    ["an HTTP/2 preface without negotiation", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ])("%s closes only its own connection", async (_, bytes) => {
    const listener = await api.listen({ tls: false });
    const text = await exchangeBytes(listener.server, bytes, (got) => got.includes("\r\n\r\n"));
    expect(text.slice(0, 12)).toMatch(/^(?:HTTP\/1\.1 4|$)/);
    await expectServing(listener.connectOptions());
  });

  it.each([
    ["JSON that nests 200,000 levels", "application/json", Buffer.from("[".repeat(200_000))],
    ["JSON that ends early", "application/json", Buffer.from('{"metadata":{"name":"a')],
    [
      "YAML whose aliases grow exponentially",
      "application/yaml",
      Buffer.from(
        `a: &a [1,1,1,1,1,1,1,1,1]\n${Array.from({ length: 30 }, (_, at) => `b${at}: &b${at} [${`*${at === 0 ? "a" : `b${at - 1}`},`.repeat(9)}]`).join("\n")}`,
      ),
    ],
    [
      "protobuf with a wrong length",
      "application/vnd.kubernetes.protobuf",
      Buffer.from("6b3873000affffffff0f", "hex"),
    ],
    ["bytes that are not UTF-8", "application/json", Buffer.from([0xff, 0xfe, 0x00])],
  ])("rejects %s and keeps serving", async (_, contentType, body) => {
    const listener = await api.listen({ tls: false });
    const headers = { authorization: `Bearer ${listener.token}`, "content-type": contentType };
    const response = await fetch(listener.server + configMaps, { method: "POST", headers, body });
    expect([400, 413, 415, 422]).toContain(response.status);
    await expectServing(listener.connectOptions());
  });

  it("an in-process transport and a listener give the same responses", async () => {
    const listener = await api.listen({ tls: false });
    const { server, token } = listener;
    const transport = createTransport({ server });
    const headers = { authorization: `Bearer ${token}` };
    const path = "/readyz";
    const outside = await readResponse(
      await transport.send({ method: "GET", path, headers, mode: "call" }),
    );
    const inside = await readResponse(
      await api.send({ method: "GET", path, headers, mode: "call" }),
    );
    expect(outside.text).toBe(inside.text);
    await transport.close();
  });
});
