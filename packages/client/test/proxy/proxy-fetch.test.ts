import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { Node, Pod, Service } from "@typekube/api/core/v1";
import { failure } from "@typekube/test-support/failure";
import { afterEach, describe, expect, it } from "vitest";
import { type Access, backend, closeAll, served, startProxied } from "./proxied-server.js";

afterEach(closeAll);

/** Answers with what arrived. */
async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  const { method, url, headers } = request;
  const body = Buffer.concat(chunks).toString();
  response.setHeader("x-method", String(method));
  response.end(JSON.stringify({ method, url, headers, body }));
}

async function start(access?: Access) {
  const server = await backend(echo);
  return startProxied({ portForward: served(server) }, access);
}

async function seen(response: Response) {
  return (await response.json()) as {
    method: string;
    url: string;
    headers: Record<string, string>;
    body: string;
  };
}

describe.each<Access>(["http", "https", "in process"])("fetch through a proxy, %s", (access) => {
  it.each(["DELETE", "GET", "OPTIONS", "PATCH", "POST", "PUT"])(
    "XX1, XX5: %s reaches a Service's pod with its body and its headers",
    async (method) => {
      const { client } = await start(access);
      const { fetch } = client.proxy(Service, "web", { namespace: "default", port: "web" });
      const hasBody = method !== "GET" && method !== "OPTIONS";
      const response = await fetch("/things", {
        method,
        headers: { "X-Token": "abc" },
        ...(hasBody ? { body: "text" } : {}),
      });
      expect(response.status).toBe(200);
      const request = await seen(response);
      expect(request).toMatchObject({ method, url: "/things", body: hasBody ? "text" : "" });
      expect(request.headers).toMatchObject({ "x-token": "abc", host: "10.0.0.7:8080" });
      expect(request.headers["authorization"]).toBeUndefined();
    },
  );

  it("XX1: a path is kept byte for byte", async () => {
    const { client } = await start(access);
    const { fetch } = client.proxy(Pod, "web");
    const paths = ["/", "//a//b/", "/a%2Fb/%C3%A9?x=%20&y=1?2", "/a:b;c,d@e=f/", "/?q", "/x?"];
    for (const path of paths) {
      expect((await seen(await fetch(path))).url, path).toBe(path);
    }
    expect((await seen(await fetch(new URL("http://any.example/a/?b#c")))).url).toBe("/a/?b");
    expect((await seen(await fetch(new Request("http://any.example/a//b")))).url).toBe("/a//b");
  });

  it("XX1: bodies of both directions are streams", async () => {
    const server = await backend((request, response) => void request.pipe(response));
    const { client } = await startProxied({ portForward: served(server) }, access);
    let next = (_: string | null) => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        next = (text) =>
          text === null ? controller.close() : controller.enqueue(Buffer.from(text));
      },
    });
    const { fetch } = client.proxy(Pod, "web", { port: 8080 });
    next("one");
    const response = await fetch("/", { method: "POST", body });
    const reader = response.body?.getReader();
    const read = async () => {
      const { value } = (await reader?.read()) ?? {};
      return value && Buffer.from(value).toString();
    };
    expect(await read()).toBe("one");
    next("two");
    expect(await read()).toBe("two");
    next(null);
    expect(await read()).toBeUndefined();
  });

  it("XX2: an error of the backend is a response, one of the API server an error", async () => {
    const server = await backend((request, response) => {
      const [, status = "200"] = (request.url ?? "").split("/");
      response.writeHead(Number(status), { "content-type": "application/json" });
      response.end('{"kind":"Status","message":"mine"}');
    });
    const { client } = await startProxied({ portForward: served(server) }, access);
    const { fetch } = client.proxy(Pod, "web");
    for (const status of [400, 404, 409, 429, 500, 503]) {
      const response = await fetch(`/${status}`);
      expect([response.status, await response.text()]).toEqual([
        status,
        '{"kind":"Status","message":"mine"}',
      ]);
    }
    const ofMissing = client.proxy(Pod, "none").fetch("/");
    expect(await failure(ofMissing)).toMatchObject({ code: "NotFound", httpStatus: 404 });
    const ofPort = client.proxy(Service, "web", { port: 81 }).fetch("/");
    expect(await failure(ofPort)).toMatchObject({
      code: "ServiceUnavailable",
      rawMessage: 'no service port 81 found for service "web"',
    });
  });
});

it("XX1: HEAD has the headers and no body", async () => {
  const { client } = await start();
  const response = await client.proxy(Pod, "web").fetch("/", { method: "HEAD" });
  expect([response.status, response.headers.get("x-method"), await response.text()]).toEqual([
    200,
    "HEAD",
    "",
  ]);
});

it("XX1: the scheme https speaks TLS with the backend, whatever its certificate", async () => {
  const server = await backend(echo, true);
  const { client } = await startProxied({ portForward: served(server) });
  const { fetch } = client.proxy(Service, "web", { scheme: "https", port: "web" });
  expect((await seen(await fetch("/secure"))).url).toBe("/secure");
});

it("XX1: a node has a proxy, too", async () => {
  const server = await backend(echo);
  const ports: number[] = [];
  const { client } = await startProxied({
    nodePort: async ({ port, ...connection }) => {
      ports.push(port);
      await served(server)({ ...connection, port } as never);
    },
  });
  expect((await seen(await client.proxy(Node, "one").fetch("/healthz"))).url).toBe("/healthz");
  await (await client.proxy(Node, "one", { port: 9100, scheme: "http" }).fetch("/")).text();
  expect(ports).toEqual([10_250, 9_100]);
});

it("XX3: a redirect is returned, and leads through the proxy", async () => {
  const server = await backend((request, response) => {
    response.writeHead(302, {
      location: request.url === "/far" ? "https://x.example/" : "/login?a",
    });
    response.end();
  });
  const { client } = await startProxied({ portForward: served(server) });
  const { fetch, path } = client.proxy(Pod, "web");
  const response = await fetch("/");
  expect([response.status, response.headers.get("location")]).toEqual([302, `${path}/login?a`]);
  expect((await fetch("/far")).headers.get("location")).toBe("https://x.example/");
  await expect(fetch("/", { redirect: "error" })).rejects.toThrow("the backend redirects");
});

it("a proxy without a path is redirected to its root by the server", async () => {
  const { server } = await start();
  const address = `${server}/api/v1/namespaces/default/pods/web/proxy?a=b`;
  const response = await fetch(address, { redirect: "manual" });
  expect([response.status, response.headers.get("location")]).toEqual([
    301,
    "/api/v1/namespaces/default/pods/web/proxy/?a=b",
  ]);
});

it("XX5: the forms of a body that fetch takes", async () => {
  const { client } = await start();
  const { fetch } = client.proxy(Pod, "web");
  type Body = NonNullable<RequestInit["body"]>;
  const send = async (body: Body | Readable) =>
    seen(await fetch("/", { method: "POST", body: body as Body }));
  expect(await send(new URLSearchParams({ a: "b c" }))).toMatchObject({
    body: "a=b+c",
    headers: { "content-type": "application/x-www-form-urlencoded;charset=UTF-8" },
  });
  expect((await send(Buffer.from("bytes"))).body).toBe("bytes");
  expect((await send(new Blob(["blob"], { type: "text/x" }))).headers["content-type"]).toBe(
    "text/x",
  );
  expect((await send(Readable.from([Buffer.from("a"), Buffer.from("b")]))).body).toBe("ab");
  const form = new FormData();
  form.set("name", "value");
  expect((await send(form)).body).toContain('name="name"\r\n\r\nvalue');
});

it("cookies stay apart", async () => {
  const server = await backend((_, response) => {
    response.setHeader("set-cookie", ["a=1; Expires=Wed, 21 Oct 2037 07:28:00 GMT", "b=2; Path=/"]);
    response.end();
  });
  const { client } = await startProxied({ portForward: served(server) });
  const { headers } = await client.proxy(Pod, "web").fetch("/");
  expect(headers.getSetCookie()).toEqual([
    "a=1; Expires=Wed, 21 Oct 2037 07:28:00 GMT",
    "b=2; Path=/",
  ]);
});

it("an abort ends a request and a response", async () => {
  const server = await backend((request, response) => {
    if (request.url === "/slow") {
      response.write("begun");
    }
  });
  const { client } = await startProxied({ portForward: served(server) });
  const { fetch } = client.proxy(Pod, "web");
  const reason = new Error("enough");
  await expect(fetch("/", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const abort = new AbortController();
  const waiting = expect(fetch("/", { signal: abort.signal })).rejects.toBe(reason);
  const response = await fetch("/slow", { signal: abort.signal });
  abort.abort(reason);
  await waiting;
  await expect(response.text()).rejects.toBe(reason);
});

it("a backend that cuts its response ends the body with an error", async () => {
  const server = await backend((_, response) => {
    response.write("begun");
    setImmediate(() => response.destroy());
  });
  const { client } = await startProxied({ portForward: served(server) });
  const response = await client.proxy(Pod, "web").fetch("/");
  expect(await failure(response.text())).toMatchObject({
    code: expect.stringMatching(/^Connection/),
  });
});

describe("bad input", () => {
  it.each([
    ["../../secrets", 'must begin with "/"'],
    ["/a/../b", 'must not contain "." or ".."'],
    ["/a/%2e%2E/b", 'must not contain "." or ".."'],
    ["/a/..%2fb", 'must not contain "." or ".."'],
    ["/a%5C..%5cb", 'must not contain "." or ".."'],
    ["/a b", "must be percent-encoded"],
    ["/é", "must be percent-encoded"],
    ["/a\r\nb", "must be percent-encoded"],
  ])("rejects the path %j before anything is sent", async (path, message) => {
    const { client } = await start();
    await expect(client.proxy(Pod, "web").fetch(path)).rejects.toThrow(message);
  });

  it("rejects headers with credentials, and drops those of the connection", async () => {
    const { client } = await start();
    const { fetch } = client.proxy(Pod, "web");
    for (const name of ["Authorization", "Impersonate-User", "Proxy-Authorization"]) {
      const error = await failure(fetch("/", { headers: { [name]: "secret" } }));
      expect(error).toMatchObject({ code: "InvalidArgument" });
      expect(String(error)).not.toContain("secret");
    }
    const headers = { host: "elsewhere", te: "trailers", "accept-encoding": "br" };
    expect((await seen(await fetch("/", { headers }))).headers["host"]).toBe("10.0.0.7:8080");
  });

  it("rejects other kinds, names, ports and options", async () => {
    const { client } = await start();
    const make = (...given: unknown[]) =>
      (client.proxy as (...all: unknown[]) => unknown)(...given);
    expect(() => make({ group: "apps", kind: "Deployment" }, "web")).toThrow("has no proxy to it");
    expect(() => make(Pod, "web:80")).toThrow("must be the name of a Pod");
    expect(() => make(Pod, "../web")).toThrow("must not contain");
    expect(() => make(Pod, "web", { port: 0 })).toThrow("port: must be");
    expect(() => make(Pod, "web", { port: "a/b" })).toThrow("port: must be");
    expect(() => make(Pod, "web", { schema: "http" })).toThrow("did you mean scheme");
    await expect(client.proxy(Pod, "web").fetch("/", { method: "PURGE" })).rejects.toThrow(
      "no PURGE",
    );
  });
});
