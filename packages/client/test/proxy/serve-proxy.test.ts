import { type IncomingHttpHeaders, request } from "node:http";
import { connect as connectSocket } from "node:net";
import type { Live } from "@typekube/api";
import type { SelfSubjectReview } from "@typekube/api/authentication/v1";
import { Pod } from "@typekube/api/core/v1";
import { failure } from "@typekube/test-support/failure";
import { openWebSocket } from "@typekube/test-support/web-socket";
import { afterEach, describe, expect, it } from "vitest";
import { backend, closeAll, opened, served, startProxied } from "./proxied-server.js";

afterEach(closeAll);

async function start(
  options: Parameters<Awaited<ReturnType<typeof startProxied>>["client"]["serveProxy"]>[0] = {},
) {
  const started = await startProxied(
    {
      exec: async ({ stdout }) => {
        await stdout("hello");
        return 0;
      },
    },
    "https",
  );
  const proxy = await started.client.serveProxy(options);
  opened.push(proxy);
  return { ...started, proxy };
}

/** Sends a request whose target and headers are as given, which fetch would not do. */
function send(
  port: number,
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, path, headers, method }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on("error", reject)
      .end();
  });
}

const pods = "/api/v1/namespaces/default/pods";

it("XX6: requests, bodies and watches go through with the client's credentials", async () => {
  const { proxy } = await start();
  const list = (await (await fetch(`${proxy.url}${pods}`)).json()) as { items: Live<Pod>[] };
  expect(list.items.map(({ metadata }) => metadata.name)).toEqual(["web"]);
  const created = await fetch(`${proxy.url}/api/v1/namespaces/default/configmaps`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ metadata: { name: "one" }, data: { a: "b" } }),
  });
  expect(created.status).toBe(201);
  const abort = new AbortController();
  const watch = await fetch(`${proxy.url}${pods}?watch=1`, { signal: abort.signal });
  const { value } = (await watch.body?.getReader().read()) ?? {};
  expect(Buffer.from(value ?? []).toString()).toContain('"type":"ADDED"');
  abort.abort();
  expect((await fetch(`${proxy.url}${pods}/none`)).status).toBe(404);
});

it("XX6: exec is rejected unless it is accepted, and then works", async () => {
  const { proxy } = await start();
  const target = `${pods}/web/exec?command=x&stdout=1`;
  expect(await send(proxy.port, target)).toBe(403);
  const open = await start({ rejectPaths: [] });
  const socket = openWebSocket(`${open.proxy.url.replace("http", "ws")}${target}`, [
    "v5.channel.k8s.io",
  ]);
  socket.binaryType = "arraybuffer";
  const first = await new Promise<MessageEvent>((resolve, reject) => {
    socket.addEventListener("error", () => reject(new Error("refused")));
    socket.addEventListener("message", (event) => {
      if ((event as MessageEvent).data.byteLength > 1) {
        resolve(event as MessageEvent);
      }
    });
  });
  expect(Buffer.from(first.data).toString()).toBe("\x01hello");
  socket.close();
});

describe("XX6: a local proxy rejects", () => {
  it.each([
    [`${pods}/web/attach`, {}],
    [`${pods}/web/%65xec`, {}],
    [`//api/v1/namespaces/default/pods/web/exec`, {}],
    [`/api/v1//namespaces/default/pods/web/exec`, {}],
    [`${pods}/x/../web/exec`, {}],
    [`${pods}/x/%2e%2e/web/log`, {}],
    ["/version", { host: "evil.example" }],
    ["/version", { host: "127.0.0.1.evil.example:80" }],
    ["/version", { origin: "https://evil.example" }],
    ["/version", { origin: "null" }],
    ["/version", { "sec-fetch-site": "cross-site" }],
    ["/version", { "sec-fetch-site": "same-site" }],
    ["/version", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }],
  ])("%s %j", async (path, headers) => {
    const { proxy } = await start();
    expect(await send(proxy.port, path, headers)).toBe(403);
  });

  it("no page of its own, no link that a user follows, and no other program", async () => {
    const { proxy } = await start();
    const ofUser = { "sec-fetch-mode": "navigate", "sec-fetch-user": "?1" };
    for (const headers of [
      {},
      { "sec-fetch-site": "none" },
      { "sec-fetch-site": "same-origin" },
      { "sec-fetch-site": "cross-site", ...ofUser },
    ]) {
      expect(await send(proxy.port, "/version", headers)).toBe(200);
    }
    const open = await start({ acceptHosts: [/^127\.0\.0\.1$/, /^friend\.example$/] });
    const friend = { origin: "https://friend.example", "sec-fetch-site": "cross-site" };
    expect(await send(open.proxy.port, "/version", friend)).toBe(200);
  });

  it("methods and paths by option", async () => {
    const { proxy } = await start({
      rejectMethods: [/^(DELETE|POST)$/g],
      acceptPaths: [/^\/version/],
    });
    expect(await send(proxy.port, "/version")).toBe(200);
    expect(await send(proxy.port, "/version", { origin: proxy.url })).toBe(200);
    expect(await send(proxy.port, "/version", {}, "DELETE")).toBe(403);
    expect(await send(proxy.port, "/version", {}, "DELETE")).toBe(403);
    expect(await send(proxy.port, pods)).toBe(403);
  });

  it("addresses other than loopback, and a port that is taken", async () => {
    const { client, proxy } = await start();
    const open = (options: object) => failure(client.serveProxy(options));
    expect(String(await open({ host: "0.0.0.0" }))).toContain("host: must be");
    expect(String(await open({ rejectPaths: ["/api"] }))).toContain("rejectPaths: must be");
    expect(await open({ port: proxy.port })).toMatchObject({ code: "Config" });
  });
});

it("XX6: closing ends all connections, also with the client", async () => {
  const { proxy, client, api } = await start();
  const watch = await fetch(`${proxy.url}${pods}?watch=1`);
  const ended = expect(watch.text()).rejects.toThrow();
  await proxy.close();
  await ended;
  const other = await client.serveProxy();
  await client.close();
  await expect.poll(() => send(other.port, "/version").catch(() => "closed")).toBe("closed");
  expect(await (await api.client()).resource(Pod, "default").get("web")).toBeDefined();
});

it("XX6: a client cannot add groups to the user that is impersonated", async () => {
  const { proxy } = await start({ impersonate: { user: "jane" } });
  const more = { "impersonate-group": "system:masters", "impersonate-extra-scopes": "all" };
  const response = await fetch(`${proxy.url}/apis/authentication.k8s.io/v1/selfsubjectreviews`, {
    method: "POST",
    headers: { "content-type": "application/json", ...more },
    body: "{}",
  });
  const { status } = (await response.json()) as SelfSubjectReview;
  expect(status?.userInfo?.username).toBe("jane");
  expect(status?.userInfo?.groups).not.toContain("system:masters");
  expect(status?.userInfo?.extra ?? {}).toEqual({});
});

it("XX6: requests that state an empty body go through", async () => {
  const { proxy, client } = await start();
  expect(await send(proxy.port, "/version", { "content-length": "0" })).toBe(200);
  expect(await send(proxy.port, `${pods}/web`, { "content-length": "0" }, "DELETE")).toBe(200);
  expect(await client.resource(Pod, "default").find("web")).toBeUndefined();
});

it("XX6: headers of the connection, also those that it names, are not passed on", async () => {
  const seen: IncomingHttpHeaders[] = [];
  const server = await backend((incoming, response) => {
    seen.push(incoming.headers);
    response.end();
  });
  const { client } = await startProxied({ portForward: served(server) });
  await using proxy = await client.serveProxy();
  const headers = { connection: "close, X-Hop", "x-hop": "1", "x-end": "2", te: "trailers" };
  expect(await send(proxy.port, `${pods}/web/proxy/`, headers)).toBe(200);
  expect(seen[0]).toMatchObject({ "x-end": "2" });
  expect(seen[0]).not.toHaveProperty("x-hop");
  expect(seen[0]).not.toHaveProperty("te");
});

it("XX6: each cookie of a backend stays a header of its own", async () => {
  const cookies = ["a=1; Path=/", "b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT"];
  const server = await backend((_, response) => {
    response.setHeader("set-cookie", cookies);
    response.end("page");
  });
  const { client } = await startProxied({ portForward: served(server) });
  await using proxy = await client.serveProxy();
  const response = await fetch(`${proxy.url}${pods}/web/proxy/`);
  expect(await response.text()).toBe("page");
  expect(response.headers.getSetCookie()).toEqual(cookies);
});

it.each([
  ["h2c", "Upgrade, HTTP2-Settings"],
  ["other", "Upgrade"],
])("XX6: an upgrade to %s does not lose the body of its request", async (upgrade, connection) => {
  const { proxy } = await start();
  const body = JSON.stringify({ metadata: { name: "two" }, data: { a: "b" } });
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connectSocket(proxy.port, "127.0.0.1");
    let text = "";
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("close", () => resolve(text));
    const head = [
      "POST /api/v1/namespaces/default/configmaps HTTP/1.1",
      `Host: 127.0.0.1:${proxy.port}`,
      `Connection: ${connection}`,
      `Upgrade: ${upgrade}`,
      "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA",
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n${body.slice(0, 10)}`);
    setImmediate(() => {
      socket.write(body.slice(10));
      socket.write(
        `GET /version HTTP/1.1\r\nHost: 127.0.0.1:${proxy.port}\r\nConnection: close\r\n\r\n`,
      );
    });
  });
  expect(answer).toMatch(/^HTTP\/1\.1 201 /);
  expect(answer).toMatch(/"name":\s*"two"/);
  expect(answer).toContain("gitVersion");
});

it("XX6: another user can be impersonated, with its groups", async () => {
  const { proxy } = await start({ impersonate: { user: "jane", groups: ["a,b", "c"] } });
  const response = await fetch(`${proxy.url}/apis/authentication.k8s.io/v1/selfsubjectreviews`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  const { status } = (await response.json()) as SelfSubjectReview;
  expect(status?.userInfo).toMatchObject({
    username: "jane",
    groups: expect.arrayContaining(["a,b", "c"]),
  });
});
