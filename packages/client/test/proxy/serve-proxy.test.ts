import { request } from "node:http";
import type { Live } from "@typekube/api";
import type { SelfSubjectReview } from "@typekube/api/authentication/v1";
import { Pod } from "@typekube/api/core/v1";
import { failure } from "@typekube/test-support/failure";
import { openWebSocket } from "@typekube/test-support/web-socket";
import { afterEach, describe, expect, it } from "vitest";
import { closeAll, opened, startProxied } from "./proxied-server.js";

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
  ])("%s %j", async (path, headers) => {
    const { proxy } = await start();
    expect(await send(proxy.port, path, headers)).toBe(403);
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
