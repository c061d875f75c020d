import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { KubeError } from "@typekube/core";
import type { Interceptor } from "@typekube/core/internal";
import { failure, get, text } from "@typekube/test-support/calls";
import { httpServer } from "@typekube/test-support/servers";
import { describe, expect, test } from "vitest";
import { createTransport, parseWarnings, type Warning } from "../../src/index.js";
import { defaultUserAgent } from "../../src/internal.js";
import { version } from "../../src/options/version.js";

describe("the server's address", () => {
  test.each([
    ["https://kube.test", "https://kube.test"],
    ["https://[::1]:6443/", "https://[::1]:6443"],
    ["localhost:8080", "http://localhost:8080"],
  ])("resolves the server %s to the URL %s", (server, expected) => {
    expect(createTransport({ server }).server).toBe(expected);
  });

  test("uses https for host:port when TLS material is given, as client-go does", () => {
    const transport = createTransport({ server: "kube:6443", tls: { insecureSkipVerify: true } });
    expect(transport.server).toBe("https://kube:6443");
  });

  test.each(["", "ftp://kube", "https://user:canary@kube", "https://kube?token=canary", "http://"])(
    "H40: rejects %s without showing what may be secret",
    (server) => {
      try {
        createTransport({ server });
        expect.unreachable();
      } catch (error) {
        expect(error).toBeInstanceOf(KubeError);
        expect((error as KubeError).code).toBe("Config");
        expect(inspect(error)).not.toContain("canary");
      }
    },
  );

  test("a path that cannot be sent is InvalidArgument", async () => {
    await using transport = createTransport({ server: "http://127.0.0.1:1" });
    expect((await failure(transport.send(get({ path: "/a b" })))).code).toBe("InvalidArgument");
  });
});

test("rejects invalid numbers, all of them in one error", () => {
  const server = "http://kube.test";
  for (const bad of [Number.NaN, -1, Number(undefined)]) {
    const made = () => createTransport({ server, connections: bad, timeoutMs: bad });
    expect(made).toThrow(/timeoutMs is .*connections is /);
  }
  for (const connections of [0, 1.5, Number.POSITIVE_INFINITY]) {
    expect(() => createTransport({ server, connections })).toThrow("an integer of at least 1");
  }
  for (const limit of ["maxHeaderBytes", "maxInflatedBytes", "maxInflateRatio"]) {
    for (const bad of [Number.NaN, -1, "1"]) {
      const made = () => createTransport({ server, limits: { [limit]: bad } });
      expect(made).toThrow(`limits.${limit} is ${bad}, but must be a number of at least 0`);
    }
  }
  for (const maxHeaderBytes of [Number.POSITIVE_INFINITY, 0.5]) {
    expect(() => createTransport({ server, limits: { maxHeaderBytes } })).toThrow(
      "an integer of at least 0",
    );
  }
  createTransport({ server, limits: { maxInflatedBytes: Number.POSITIVE_INFINITY } });
  for (const none of [0, Number.POSITIVE_INFINITY]) {
    createTransport({ server, timeoutMs: none, connectTimeoutMs: none, maxRetries: none });
  }
});

describe("headers", () => {
  test("H42: sends our user agent or the given one, unless the request sets its own", async () => {
    await using server = await httpServer((request, response) =>
      response.end(request.headers["user-agent"]),
    );
    await using plain = createTransport({ server: server.url });
    await using named = createTransport({ server: server.url, userAgent: "operator/1" });
    expect(await text(await plain.send(get()))).toBe(defaultUserAgent());
    expect(defaultUserAgent()).toMatch(/^typekube\/\d+\.\d+\.\d+ \(\w+\/\w+\) node\/\d+$/);
    expect(await text(await named.send(get()))).toBe("operator/1");
    const own = get({ headers: { "user-agent": "own" } });
    expect(await text(await named.send(own))).toBe("own");
  });

  test("H35: a request can be sent again after its response, and is identical", async () => {
    const seen: string[] = [];
    await using server = await httpServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) {
        body += String(chunk);
      }
      const { connection: _, ...headers } = request.headers;
      seen.push(JSON.stringify([request.method, request.url, headers, body]));
      response.end("{}");
    });
    await using transport = createTransport({ server: server.url });
    const request = get({ method: "POST", path: "/api?x=1", body: Buffer.from("{}") });
    await text(await transport.send(request));
    await text(await transport.send(request));
    expect(seen[1]).toBe(seen[0]);
    expect(seen).toHaveLength(2);
  });

  test("the version matches package.json", () => {
    const file = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
    expect((JSON.parse(file) as { version: string }).version).toBe(version);
  });

  test("interceptors run outermost first", async () => {
    const order: string[] = [];
    await using server = await httpServer((_request, response) => response.end("{}"));
    const named =
      (name: string): Interceptor =>
      (next) =>
      (request) => {
        order.push(name);
        return next(request);
      };
    await using transport = createTransport({
      server: server.url,
      interceptors: [named("outer"), named("inner")],
    });
    await text(await transport.send(get()));
    expect(order).toEqual(["outer", "inner"]);
  });
});

describe("H37: warnings", () => {
  test.each([
    ['299 - "v1beta1 is deprecated"', ["v1beta1 is deprecated"]],
    ['299 - "one", 299 - "two"', ["one", "two"]],
    ['299 - "with \\"quotes\\", and a comma"', ['with "quotes", and a comma']],
    ['299 kube "dated" "Wed, 21 Oct 2015 07:28:00 GMT"', ["dated"]],
    ['299 - ""', []],
    ['199 - "other code"', []],
    ["299 nonsense", []],
    // UTF-8 bytes as Node delivers them, and bytes that are not UTF-8.
    ['299 - "\xc3\x9cberholt \xe2\x80\x93 \xe6\x97\xa5", 299 - "a"', ["Überholt – 日", "a"]],
    ['299 - "\xdcberholt"', ["Überholt"]],
    ['299 - "日"', ["日"]],
  ])("parses the texts of the Warning header %s", (header, expected) => {
    expect(parseWarnings(header)).toEqual(expected);
  });

  test("passes each of several repeated headers to onWarning, with method and path", async () => {
    const seen: Warning[] = [];
    await using server = await httpServer((_request, response) => {
      response.setHeader("warning", ['299 - "one"', '299 - "two"']);
      response.end("{}");
    });
    await using transport = createTransport({
      server: server.url,
      onWarning: (warning) => seen.push(warning),
    });
    await text(await transport.send(get({ path: "/api?x=1" })));
    expect(seen).toEqual([
      { text: "one", method: "GET", path: "/api" },
      { text: "two", method: "GET", path: "/api" },
    ]);
  });

  test("an exception in onWarning fails the call and releases its connection", async () => {
    await using server = await httpServer((_request, response) => {
      response.setHeader("warning", '299 - "one"');
      response.write("{");
    });
    const refusal = new Error("no warnings here");
    await using transport = createTransport({
      server: server.url,
      onWarning() {
        throw refusal;
      },
    });
    await expect(transport.send(get())).rejects.toBe(refusal);
    await server.closed(1);
  });
});
