import { channel } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { KubeError } from "@typekube/core";
import { deferred } from "@typekube/test-support/calls";
import { failure, folder, kubeconfig } from "@typekube/test-support/kubeconfig-files";
import { manualClock } from "@typekube/test-support/manual-clock";
import { connectProxy } from "@typekube/test-support/proxy";
import { describe, expect, test } from "vitest";
import { resolveConfig } from "../../src/index.js";
import { jwtExpiryMs } from "../../src/oidc/jwt-expiry.js";
import { oidcExpirySkewMs } from "../../src/oidc/oidc-credentials.js";

const fixture = (name: string) =>
  readFileSync(new URL(`../../../test-support/fixtures/${name}`, import.meta.url), "utf8");
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** Returns a token with this expiry; these tests do not verify its signature. */
function jwt(endsAtMs: number | undefined, name: string): string {
  const claims = { sub: name, ...(endsAtMs === undefined ? {} : { exp: endsAtMs / 1000 }) };
  return `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.canary`;
}

interface TestResponse {
  readonly status?: number;
  readonly body: unknown;
  /** Delays the response. */
  readonly after?: Promise<void>;
}

/** Starts an issuer on a free port that answers token requests from a list and records them. */
async function issuer(responses: TestResponse[], discovery: object = {}) {
  const requested: { body: string; authorization: string | undefined }[] = [];
  const tls = { cert: fixture("server.pem"), key: fixture("server.key.pem") };
  const server = createHttpsServer(tls, async (request, response) => {
    if (request.url === "/realm/.well-known/openid-configuration") {
      response.end(JSON.stringify({ token_endpoint: `${url()}/token?x=1`, ...discovery }));
      return;
    }
    let body = "";
    for await (const chunk of request) {
      body += chunk;
    }
    requested.push({ body, authorization: request.headers.authorization });
    const reply = responses.shift() ?? { status: 500, body: "no more" };
    await reply.after;
    response.statusCode = reply.status ?? 200;
    response.end(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = () => `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    requested,
    url: `${url()}/realm`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function credentials(url: string, over: object, clock = manualClock(), env = {}) {
  await using dir = await folder();
  const config = {
    "idp-issuer-url": url,
    "client-id": "cli",
    "idp-certificate-authority-data": base64(fixture("ca.pem")),
    ...over,
  };
  const user = { "auth-provider": { name: "oidc", config } };
  const path = await dir.write("config", kubeconfig({ user }));
  const resolved = await resolveConfig({ env, homeDir: "/none", kubeconfig: path, clock });
  return resolved.auth as NonNullable<typeof resolved.auth>;
}

describe("the auth-provider oidc", () => {
  test("uses an id-token until shortly before expiry, then refreshes it once for all waiting calls", async () => {
    const clock = manualClock();
    const [old, young] = [jwt(clock.now() + 100_000, "old"), jwt(clock.now() + 1e9, "young")];
    await using server = await issuer([{ body: { id_token: young, refresh_token: "next" } }]);
    const auth = await credentials(
      server.url,
      { "id-token": old, "refresh-token": "first", "client-secret": "s:1" },
      clock,
    );
    expect(await auth.headers()).toEqual({ authorization: `Bearer ${old}` });
    expect(server.requested).toHaveLength(0);
    clock.advance(100_000 - oidcExpirySkewMs);
    const headers = await Promise.all(Array.from({ length: 50 }, () => auth.headers()));
    expect(new Set(headers.map((each) => each["authorization"]))).toEqual(
      new Set([`Bearer ${young}`]),
    );
    expect(server.requested).toEqual([
      {
        body: "grant_type=refresh_token&refresh_token=first",
        authorization: `Basic ${base64("cli:s%3A1")}`,
      },
    ]);
  });

  test("N25: a refresh continues and keeps the rotated token when its call aborts", async () => {
    const clock = manualClock();
    const [young, younger] = [1e9, 2e9].map((ms) => jwt(clock.now() + ms, "young"));
    const held = deferred();
    await using server = await issuer([
      { body: { id_token: young, refresh_token: "second" }, after: held.promise },
      { body: { id_token: younger } },
    ]);
    const auth = await credentials(server.url, { "refresh-token": "first" }, clock);
    const controller = new AbortController();
    const given = auth.headers({ signal: controller.signal });
    await expect.poll(() => server.requested.length).toBe(1);
    controller.abort("why");
    await expect(given).rejects.toBe("why");
    const next = auth.headers();
    held.resolve();
    expect(await next).toEqual({ authorization: `Bearer ${young}` });
    clock.advance(1e9);
    expect(await auth.headers()).toEqual({ authorization: `Bearer ${younger}` });
    expect(server.requested.map(({ body }) => /refresh_token=(\w+)/.exec(body)?.[1])).toEqual([
      "first",
      "second",
    ]);
  });

  test("N36: reaches the issuer through the environment's proxy, unless NO_PROXY lists it", async () => {
    await using proxy = await connectProxy({ reply: "HTTP/1.1 502 no\r\n\r\n" });
    const env = { HTTPS_PROXY: proxy.url.replace("//", "//me:canary@") };
    const ask = async (noProxy: string) => {
      const over = { "refresh-token": "first" };
      const clock = manualClock();
      const auth = await credentials("https://issuer.invalid/realm", over, clock, {
        ...env,
        NO_PROXY: noProxy,
      });
      return auth.headers().then(
        () => expect.unreachable(),
        (error: unknown) => KubeError.from(error),
      );
    };
    const error = await ask("");
    expect(error.message).toContain("refuses a tunnel to issuer.invalid:443 (HTTP 502)");
    expect(inspect(error, { depth: 9 })).not.toContain("canary");
    expect((await ask("issuer.invalid")).code).toBe("HostNotFound");
  });

  test("uses a rotated refresh token for the next refresh; sends the secret as discovery specifies", async () => {
    const clock = manualClock();
    const [one, two] = [jwt(clock.now() + 60_000, "one"), jwt(clock.now() + 1e9, "two")];
    await using server = await issuer(
      [{ body: { id_token: one, refresh_token: "second" } }, { body: { id_token: two } }],
      { token_endpoint_auth_methods_supported: ["client_secret_post"] },
    );
    const auth = await credentials(
      server.url,
      { "refresh-token": "first", "client-secret": "s" },
      clock,
    );
    await auth.headers();
    // Also after a 401, once per rejected token.
    const refused = { headers: { authorization: `Bearer ${one}` } };
    expect(await Promise.all([auth.refresh?.(refused), auth.refresh?.(refused)])).toEqual([
      true,
      true,
    ]);
    expect(await auth.refresh?.(refused)).toBe(true);
    expect(await auth.headers()).toEqual({ authorization: `Bearer ${two}` });
    expect(
      server.requested.map(({ body }) => new URLSearchParams(body).get("refresh_token")),
    ).toEqual(["first", "second"]);
    expect(new URLSearchParams(server.requested[0]?.body).get("client_secret")).toBe("s");
  });

  test.each([
    [
      "refused",
      { status: 400, body: { error: "invalid_grant", error_description: "canary" } },
      "HTTP 400, invalid_grant",
    ],
    ["a response that is not JSON", { body: "canary" }, "returned no id_token"],
    [
      "an issuer that is unavailable",
      { status: 502, body: "<html>canary" },
      "failed (HTTP 502): the login may still be valid",
    ],
    ["an issuer that is busy", { status: 429, body: "canary" }, "failed (HTTP 429)"],
    [
      "a token with a line feed",
      { body: { id_token: `${jwt(9e12, "x")}\ncanary` } },
      "an id_token that is not a valid header value",
    ],
    [
      "a token without an expiry",
      { body: { id_token: jwt(undefined, "canary") } },
      "has no expiry (exp)",
    ],
  ])("%s: an error that does not show the response", async (_name, response, expected) => {
    await using server = await issuer([response]);
    const auth = await credentials(server.url, { "refresh-token": "canary" });
    const error = await failure(auth.headers());
    expect(error.message).toContain(expected);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("canary");
  });

  test("sends the refresh token to no endpoint without TLS, and to no issuer that the CA did not sign", async () => {
    await using plain = await issuer([], { token_endpoint: "http://127.0.0.1:1/token" });
    const error = await failure((await credentials(plain.url, { "refresh-token": "r" })).headers());
    expect(error.message).toContain("does not name an https token endpoint");
    for (const endpoint of [{ toString: 1 }, ["https://127.0.0.1:1"], null]) {
      await using odd = await issuer([], { token_endpoint: endpoint });
      const auth = await credentials(odd.url, { "refresh-token": "r" });
      expect((await failure(auth.headers())).message).toContain(
        "does not name an https token endpoint",
      );
    }
    const untrusted = await credentials(plain.url, {
      "refresh-token": "r",
      "idp-certificate-authority-data": null,
    });
    const tls = await untrusted.headers().catch((reason: unknown) => reason);
    expect(tls).toBeInstanceOf(KubeError);
    expect(tls).toMatchObject({ code: "Tls" });
    expect(plain.requested).toHaveLength(0);
  });

  test("X12: publishes each refresh with its expiry, and a refusal without a token", async () => {
    const received: unknown[] = [];
    const listener = (message: unknown) => void received.push(message);
    channel("typekube:auth.refresh").subscribe(listener);
    try {
      const clock = manualClock();
      const [old, young] = [jwt(clock.now() + 1000, "old"), jwt(clock.now() + 1e9, "young")];
      await using server = await issuer([
        { body: { id_token: young } },
        { status: 400, body: { error: "invalid_grant", canary: "canary" } },
      ]);
      const tokens = { "id-token": old, "refresh-token": "canary-refresh" };
      const auth = await credentials(server.url, tokens, clock);
      const headers = await auth.headers();
      await failure(auth.refresh?.({ headers }) as Promise<boolean>);
      const source = { source: "oidc", credentials: expect.any(Object) };
      expect(received).toEqual([
        { ...source, reason: "expiry", ok: true, expiresAt: clock.now() + 1e9 },
        { ...source, reason: "unauthorized", ok: false, error: expect.any(KubeError) },
      ]);
      expect(inspect(received, { depth: 12, showHidden: true })).not.toContain("canary");
    } finally {
      channel("typekube:auth.refresh").unsubscribe(listener);
    }
  });

  test("an error about a response of more than 1 MiB suggests no option, since the limit is fixed", async () => {
    await using server = await issuer([{ body: "x".repeat(1024 * 1024 + 1) }]);
    const auth = await credentials(server.url, { "refresh-token": "r1" });
    const error = await auth.headers().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: "TooLarge",
      message: `[TooLarge] a response of the OIDC issuer ${server.url} is larger than 1048576 bytes`,
    });
  });

  test("names missing fields; an expired id-token without a refresh token is an error", async () => {
    const wrong = credentials("http://issuer", { "client-id": null, "id-token": 7 });
    const { message } = await failure(wrong);
    for (const expected of ["idp-issuer-url", "client-id is missing", "id-token is not a string"]) {
      expect(message).toContain(expected);
    }
    const withPassword = await failure(credentials("https://me:canary@issuer.test/realm", {}));
    expect(withPassword.message).toContain("idp-issuer-url contains a user or a password");
    expect(inspect(withPassword, { depth: 9, showHidden: true })).not.toContain("canary");
    const old = await credentials("https://issuer.test", { "id-token": jwt(1000, "canary") });
    const error = await failure(old.headers());
    expect(error.message).toContain("no refresh-token is set: log in again");
    expect(await old.refresh?.()).toBe(false);
  });

  test("H40: the inspected credentials show no secret", async () => {
    const secrets = {
      "id-token": jwt(9e12, "x"),
      "refresh-token": "canary",
      "client-secret": "canary",
    };
    const auth = await credentials("https://issuer.test", secrets);
    await auth.headers();
    for (const shown of [
      inspect(auth, { depth: 9, showHidden: true }),
      JSON.stringify({ auth }),
      `${auth}`,
    ]) {
      expect(shown).not.toContain("canary");
      expect(shown).toContain("[redacted OIDC token]");
    }
  });

  test("returns no expiry for a malformed token", () => {
    expect(jwtExpiryMs(jwt(5_000, "x"))).toBe(5_000);
    for (const text of [
      "",
      "a.b.c",
      "a",
      `a.${base64("null")}.c`,
      `a.${base64('{"exp":"5"}')}.c`,
    ]) {
      expect(jwtExpiryMs(text)).toBeUndefined();
    }
  });
});
