import type { KubeErrorCode, Status } from "@typekube/core";
import { codecs, type HttpResponse } from "@typekube/core/internal";
import { bytesOf, failure, get } from "@typekube/test-support/calls";
import { describe, expect, test } from "vitest";
import { ensureOk, errorFromResponse } from "../../src/internal.js";

function reply(
  status: number,
  contentType: string,
  ...body: (string | Uint8Array)[]
): HttpResponse {
  return { status, headers: { "content-type": contentType }, body: bytesOf(...body) };
}

const notFound: Status = {
  apiVersion: "v1",
  kind: "Status",
  metadata: {},
  status: "Failure",
  message: 'pods "web" not found',
  reason: "NotFound",
  details: { name: "web", kind: "pods" },
  code: 404,
};

describe("H10: a Status body", () => {
  test.each(["json", "protobuf", "cbor", "yaml"] as const)(
    "ALT5: determines the error, encoded as %s",
    async (name) => {
      const codec = codecs[name];
      const body = await codec.encode(notFound);
      const error = await errorFromResponse(
        get({ path: "/api/v1/pods/web?secret=hush" }),
        reply(404, codec.mediaType, body),
      );
      expect(error.code).toBe("NotFound");
      expect(error.rawMessage).toBe('pods "web" not found');
      expect(error.status).toMatchObject({ reason: "NotFound", details: { name: "web" } });
      expect(error.request).toEqual({ method: "GET", path: "/api/v1/pods/web" });
      expect(error.message).not.toContain("hush");
    },
  );

  test.each(["cbor", "yaml", "json", "protobuf"] as const)(
    "is ignored in favour of the HTTP status when it is invalid %s or truncated",
    async (name) => {
      const { mediaType } = codecs[name];
      const broken = reply(503, mediaType, "\u0001{[&x *x");
      expect((await errorFromResponse(get(), broken)).code).toBe("ServiceUnavailable");
      const status = await codecs[name].encode({ ...notFound, code: 503 });
      const cut = reply(503, mediaType, status.subarray(0, status.byteLength - 3));
      const error = await errorFromResponse(get(), cut);
      expect(error.httpStatus).toBe(503);
    },
  );

  test("adds Retry-After, in seconds or as a date", async () => {
    const response = reply(
      429,
      "application/json",
      JSON.stringify({ ...notFound, reason: "TooManyRequests" }),
    );
    const error = await errorFromResponse(get(), {
      ...response,
      headers: { ...response.headers, "retry-after": "3" },
    });
    expect(error).toMatchObject({ code: "TooManyRequests", retryAfterMs: 3000 });
  });
});

describe("H10: error responses without a Status", () => {
  test.each<[number, string, KubeErrorCode]>([
    [400, "GET", "BadRequest"],
    [401, "GET", "Unauthorized"],
    [403, "GET", "Forbidden"],
    [404, "GET", "NotFound"],
    [405, "GET", "MethodNotAllowed"],
    [406, "GET", "NotAcceptable"],
    [409, "POST", "AlreadyExists"],
    [409, "PUT", "Conflict"],
    [410, "GET", "Gone"],
    [413, "POST", "RequestEntityTooLarge"],
    [415, "PATCH", "UnsupportedMediaType"],
    [422, "PUT", "Invalid"],
    [429, "GET", "TooManyRequests"],
    [500, "GET", "InternalError"],
    [502, "GET", "InternalError"],
    [503, "GET", "ServiceUnavailable"],
    [504, "GET", "Timeout"],
    [302, "GET", "Unknown"],
  ])("maps the status %i on %s to the code %s", async (status, method, code) => {
    const request = get({ method: method as "GET" });
    const error = await errorFromResponse(request, reply(status, ""));
    expect(error).toMatchObject({ code, httpStatus: status });
    expect(error.cause).toBeUndefined();
  });

  test("maps 401 with invalid JSON to Unauthorized without showing the body", async () => {
    const error = await errorFromResponse(get(), reply(401, "application/json", "{garbage"));
    expect(error.code).toBe("Unauthorized");
    expect(error.message).not.toContain("garbage");
  });

  test("reports for 404 that the server does not serve the path", async () => {
    const response = reply(404, "text/plain", "404 page not found\n");
    const error = await errorFromResponse(get({ path: "/apis/none" }), response);
    expect(error.message).toContain("does not serve this path (GET /apis/none)");
  });

  test("H11: a text becomes the cause, cut at 2048 bytes, and the message for 403, 406 and 415 only", async () => {
    const text = "é".repeat(2000);
    for (const status of [403, 406, 415, 500, 404]) {
      const error = await errorFromResponse(
        get(),
        reply(status, "text/plain; charset=utf-8", text),
      );
      expect((error.cause as Error).message).toBe("é".repeat(1024));
      expect(error.rawMessage === "é".repeat(1024)).toBe([403, 406, 415].includes(status));
    }
    const binary = await errorFromResponse(get(), reply(500, "application/octet-stream", "abc"));
    expect(binary.cause).toBeUndefined();
  });

  test("N36: does not follow a redirect; the hint names its target without the path", async () => {
    const redirect = (location: string, contentType = "text/plain") => {
      const { headers, ...rest } = reply(302, contentType, "moved");
      return errorFromResponse(get(), { ...rest, headers: { ...headers, location } });
    };
    const absolute = await redirect("https://login.test:8443/sso?token=canary");
    expect(absolute.hint).toContain("redirects to https://login.test:8443, and");
    expect(absolute.message).not.toContain("canary");
    const page = await redirect("/sso?token=canary", "text/html");
    expect([page.code, page.hint]).toEqual([
      "NotKubernetes",
      expect.stringMatching(/another path/),
    ]);
    expect(page.message).not.toContain("canary");
  });

  test("H12: an unknown encoding is a generic error", async () => {
    const error = await errorFromResponse(get(), reply(500, "application/x-unknown", "abc"));
    expect(error.code).toBe("InternalError");
  });

  test.each([
    ["Go, which sends no content-type", "", "Client sent an HTTP request to an HTTPS server.\n"],
    ["others", "text/plain", "The plain HTTP request was sent to HTTPS port"],
  ])("explains a plain http request at the TLS port of %s", async (_who, type, body) => {
    const error = await errorFromResponse(get(), reply(400, type, body));
    expect(error.code).toBe("Tls");
    expect(error.message).toContain("https://");
  });

  test("accepts a Status without apiVersion", async () => {
    const body = { kind: "Status", status: "Failure", reason: "Forbidden", message: "not you" };
    const error = await errorFromResponse(
      get(),
      reply(403, "application/json", JSON.stringify(body)),
    );
    expect([error.code, error.rawMessage]).toEqual(["Forbidden", "not you"]);
  });

  test.each([
    ["a message", { message: "quota of the gateway is used up" }],
    [
      "Rancher's",
      { type: "error", status: 403, code: "Forbidden", message: "quota of the gateway is used up" },
    ],
    ["OAuth 2's", { error: "invalid", error_description: "quota of the gateway is used up" }],
    ["a nested message", { error: { code: 403, message: "quota of the gateway is used up" } }],
    ["an RFC 9457 problem", { title: "x", detail: "quota of the gateway is used up" }],
  ])("shows the JSON error %s like a text", async (_what, body) => {
    const shown = (status: number) =>
      errorFromResponse(
        get(),
        reply(status, "application/json; charset=utf-8", JSON.stringify(body)),
      );
    expect((await shown(403)).rawMessage).toBe("quota of the gateway is used up");
    const other = await shown(502);
    expect([other.code, (other.cause as Error).message]).toEqual([
      "InternalError",
      "quota of the gateway is used up",
    ]);
  });

  test.each([["text"], [{ message: 5 }], [null], [[]], [{ error: null }]])(
    "finds no message in the JSON body %j",
    async (body) => {
      const error = await errorFromResponse(
        get(),
        reply(403, "application/json", JSON.stringify(body)),
      );
      expect([error.code, error.cause]).toEqual(["Forbidden", undefined]);
    },
  );

  test("reads an endless body up to the limit, then cancels it", async () => {
    let closed = false;
    const body = (async function* () {
      try {
        for (;;) {
          yield Buffer.alloc(1000, "x");
        }
      } finally {
        closed = true;
      }
    })();
    const response = { status: 500, headers: { "content-type": "text/plain" }, body };
    await errorFromResponse(get(), response, { limits: { maxErrorBodyBytes: 5000 } });
    expect(closed).toBe(true);
  });

  test("keeps the code of the HTTP status when the body breaks off", async () => {
    const reset = new Error("reset");
    const body = (async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from("{");
      throw reset;
    })();
    const error = await errorFromResponse(get(), { status: 503, headers: {}, body });
    expect(error).toMatchObject({ code: "ServiceUnavailable", cause: reset });
  });
});

describe("an HTML page", () => {
  const page = "<html>\n  <title>Sign in</title></html>";

  test("is NotKubernetes, unless the HTTP status is more specific", async () => {
    for (const [status, code] of [
      [404, "NotKubernetes"],
      [302, "NotKubernetes"],
      [401, "Unauthorized"],
      [502, "InternalError"],
      [503, "ServiceUnavailable"],
    ] as const) {
      const error = await errorFromResponse(get(), reply(status, "text/html; charset=utf-8", page));
      expect(error.code).toBe(code);
      expect(error.rawMessage).toContain("<title>Sign in</title>");
      expect(error.message).toContain("login page");
    }
  });

  test("N31: is recognized by its content type in any spelling, for a watch and for every encoding", async () => {
    for (const contentType of ["text/html", "TEXT/HTML", "text/html; charset=iso-8859-1"]) {
      for (const accept of ["application/json", "application/cbor, application/json;q=0.9"]) {
        const watch = get({ headers: { accept }, mode: "stream" });
        const error = await failure(ensureOk(watch, reply(200, contentType, page)));
        expect(error.code).toBe("NotKubernetes");
        expect(error.rawMessage).toContain("<title>Sign in</title>");
      }
    }
  });

  test("with status 200 is an error only when an API encoding was requested", async () => {
    const api = get({ headers: { accept: "application/json" } });
    expect((await failure(ensureOk(api, reply(200, "text/html", page)))).code).toBe(
      "NotKubernetes",
    );
    await ensureOk(get({ headers: { accept: "*/*" } }), reply(200, "text/html", page));
    await ensureOk(api, reply(201, "application/json", "{}"));
  });
});
