import { getEventListeners } from "node:events";
import { inspect } from "node:util";
import type { HttpRequest } from "@typekube/core/internal";
import { brokenBody, bytesOf, failure, get, text } from "@typekube/test-support/calls";
import { manualClock } from "@typekube/test-support/manual-clock";
import { httpServer } from "@typekube/test-support/servers";
import { describe, expect, test } from "vitest";
import {
  basicAuth,
  bearerToken,
  type Credentials,
  createTransport,
  Secret,
  tokenFile,
} from "../../src/index.js";
import { authenticate } from "../../src/internal.js";

/** Returns the Authorization header that the server received. */
async function echo(
  options: { auth: Credentials; credentialsOverHttp?: boolean },
  request = get(),
) {
  await using server = await httpServer((incoming, response) =>
    response.end(incoming.headers.authorization ?? "none"),
  );
  await using transport = createTransport({ server: server.url, ...options });
  return await text(await transport.send(request));
}

describe("credentials", () => {
  test("K27: sends no credentials to an http server unless credentialsOverHttp is set", async () => {
    const auth = bearerToken("canary");
    expect(await echo({ auth })).toBe("none");
    expect(await echo({ auth, credentialsOverHttp: true })).toBe("Bearer canary");
  });

  test("S1: keeps an authorization header of the request", async () => {
    const request = get({ headers: { authorization: "Bearer own" } });
    const options = { auth: basicAuth("u", "p"), credentialsOverHttp: true };
    expect(await echo(options, request)).toBe("Bearer own");
    expect(await echo(options)).toBe(`Basic ${Buffer.from("u:p").toString("base64")}`);
  });

  test("H40: shows no secret in inspect, JSON or text", () => {
    const secret = new Secret("canary");
    const token = bearerToken(secret);
    const all = {
      secret,
      token,
      basic: basicAuth("u", "canary"),
      file: tokenFile("/t", { initialToken: "canary" }),
    };
    for (const shown of [
      inspect(all, { depth: 9, showHidden: true }),
      JSON.stringify(all),
      `${secret}`,
      `${token}`,
    ]) {
      expect(shown).not.toContain("canary");
      expect(shown).toContain("[redacted");
    }
    expect(secret.reveal()).toBe("canary");
  });
});

describe("token file", () => {
  test("S2: caches the token for a minute; a failing read keeps the last good token", async () => {
    const clock = manualClock();
    const responses: (string | Error)[] = ["one\n", "two", new Error("disk"), "", "three"];
    let reads = 0;
    const read = async () => {
      const response = responses[reads] ?? "";
      reads += 1;
      if (response instanceof Error) {
        throw response;
      }
      return response;
    };
    const credentials = tokenFile("/token", { clock, read });
    const current = async () => (await credentials.headers())["authorization"];
    expect(await Promise.all([current(), current()])).toEqual(["Bearer one", "Bearer one"]);
    expect(reads).toBe(1);
    const seen: (string | undefined)[] = [];
    for (let minute = 0; minute < 4; minute += 1) {
      clock.advance(60_000);
      seen.push(await current());
    }
    expect(seen).toEqual(["Bearer two", "Bearer two", "Bearer two", "Bearer three"]);
    expect(reads).toBe(5);
  });

  test("S2: without a good token, a missing or empty file is an error that names it", async () => {
    const missing = await failure(tokenFile("/no/such/token").headers());
    expect(missing.code).toBe("Config");
    expect(missing.message).toContain("/no/such/token");
    const empty = await failure(tokenFile("/token", { read: async () => " \n" }).headers());
    expect(empty.message).toContain("is empty");
  });

  test("N23: does not mix up the tokens of two files", async () => {
    const read = async (path: string) => `token of ${path}`;
    const a = tokenFile("/a", { read });
    const b = tokenFile("/b", { read });
    expect(await a.headers()).toEqual({ authorization: "Bearer token of /a" });
    expect(await b.headers()).toEqual({ authorization: "Bearer token of /b" });
  });
});

test("S3: a 401 drops the cached token, unless it was read after the request was sent", async () => {
  const tokens = ["one", "two", "three"];
  const credentials = tokenFile("/t", { read: async () => tokens.shift() ?? "" });
  const refused = { headers: await credentials.headers() };
  expect(await credentials.refresh?.(refused)).toBe(true);
  expect(await credentials.refresh?.(refused)).toBe(true);
  expect(await credentials.headers()).toEqual({ authorization: "Bearer two" });
  expect(tokens).toEqual(["three"]);
});

describe("slow credentials", () => {
  const request = { timeoutMs: 1000 };
  /** Never resolves; rejects when the call's signal aborts. */
  const endless: Credentials = {
    headers: (call) =>
      new Promise((_resolve, reject) =>
        call?.signal.addEventListener("abort", () => reject(call.signal.reason)),
      ),
  };
  const never = () => Promise.reject(new Error("it was sent"));

  test("N25: end with the call's deadline, its signal, or the transport", async () => {
    const clock = manualClock();
    const [closing, aborting] = [new AbortController(), new AbortController()];
    const send = authenticate(endless, { clock, timeoutMs: 5000, closing: closing.signal })(never);
    const calls = [
      send(get(request)),
      send(get()),
      send(get({ signal: aborting.signal })),
      send(get()),
    ];
    const settled = Promise.allSettled(calls);
    clock.advance(1000);
    expect(await failure(calls[0] as Promise<unknown>)).toMatchObject({ code: "DeadlineExceeded" });
    aborting.abort("why");
    await expect(calls[2]).rejects.toBe("why");
    closing.abort("closed");
    await expect(calls[1]).rejects.toBe("closed");
    await settled;
    expect(clock.pending).toBe(0);
    await expect(send(get())).rejects.toBe("closed");
  });

  test("N25: end even when they ignore the signal, on the first request or after a 401", async () => {
    const deaf = { headers: () => new Promise<never>(() => {}) };
    const refused: Credentials = {
      headers: () => Promise.resolve({}),
      refresh: () => new Promise(() => {}),
    };
    const response = { status: 401, headers: {}, body: bytesOf("no") };
    for (const [credentials, next] of [
      [deaf, never],
      [refused, () => Promise.resolve(response)],
    ] as const) {
      const clock = manualClock();
      const aborting = new AbortController();
      const send = authenticate(credentials, { clock, timeoutMs: 5000 })(next);
      const late = failure(send(get()));
      const aborted = send(get({ signal: aborting.signal }));
      const settled = Promise.allSettled([late, aborted]);
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      aborting.abort("why");
      await expect(aborted).rejects.toBe("why");
      clock.advance(5000);
      expect((await late).code).toBe("DeadlineExceeded");
      await settled;
      expect(clock.pending).toBe(0);
      expect(getEventListeners(aborting.signal, "abort")).toHaveLength(0);
    }
    const gone = new AbortController();
    const closing = authenticate(deaf, { closing: gone.signal })(never)(get());
    gone.abort("closed");
    await expect(closing).rejects.toBe("closed");
  });

  test("leave the call the rest of its timeout", async () => {
    const clock = manualClock();
    const slow: Credentials = {
      headers: async (call) => {
        expect(call?.signal.aborted).toBe(false);
        clock.advance(300);
        return {};
      },
    };
    const seen: (number | undefined)[] = [];
    const send = authenticate(slow, { clock, timeoutMs: 5000 })((sent) => {
      seen.push(sent.timeoutMs);
      return Promise.resolve({ status: 200, headers: {}, body: bytesOf() });
    });
    await send(get(request));
    await send(get());
    expect(seen).toEqual([700, undefined]);
  });
});

describe("N22: a 401", () => {
  const responding = (statuses: number[], seen: HttpRequest[]) => (request: HttpRequest) => {
    seen.push(request);
    return Promise.resolve({ status: statuses.shift() ?? 500, headers: {}, body: bytesOf("{}") });
  };

  test("retries the call once with a new token", async () => {
    const tokens = ["old", "new"];
    const credentials = tokenFile("/t", { read: async () => tokens.shift() ?? "new" });
    const seen: HttpRequest[] = [];
    const send = authenticate(credentials)(responding([401, 200], seen));
    expect((await send(get())).status).toBe(200);
    expect(seen.map((request) => request.headers["authorization"])).toEqual([
      "Bearer old",
      "Bearer new",
    ]);
  });

  test.each(["call", "stream"] as const)(
    "retries a %s even when the text of the 401 breaks off, as from a closing gateway",
    async (mode) => {
      const tokens = ["old", "new"];
      const credentials = tokenFile("/t", { read: async () => tokens.shift() ?? "new" });
      const send = authenticate(credentials)(async (request) =>
        request.headers["authorization"] === "Bearer old"
          ? { status: 401, headers: {}, body: brokenBody() }
          : { status: 201, headers: {}, body: bytesOf("{}") },
      );
      expect((await send(get({ method: "POST", mode }))).status).toBe(201);
    },
  );

  test("retries within the call's timeout", async () => {
    const clock = manualClock();
    const times: (number | undefined)[] = [];
    const credentials: Credentials = {
      headers: async () => ({}),
      refresh: async () => {
        clock.advance(200);
        return true;
      },
    };
    const send = authenticate(credentials, { clock })(async (request) => {
      times.push(request.timeoutMs);
      clock.advance(500);
      return { status: 401, headers: {}, body: bytesOf("no") };
    });
    await send(get({ timeoutMs: 1000 }));
    expect(times).toEqual([1000, 300]);
  });

  test("returns the 401 when there is no new token, and when the new token is rejected too", async () => {
    const seen: HttpRequest[] = [];
    const same = tokenFile("/t", { read: async () => "same" });
    expect((await authenticate(same)(responding([401], seen))(get())).status).toBe(401);
    expect(seen).toHaveLength(1);
    const tokens = ["a", "b", "c"];
    const changing = tokenFile("/t", { read: async () => tokens.shift() ?? "" });
    expect((await authenticate(changing)(responding([401, 401, 200], seen))(get())).status).toBe(
      401,
    );
    expect((await authenticate(bearerToken("t"))(responding([401], seen))(get())).status).toBe(401);
  });
});

test.each([
  ["ends in a line break", "canary\n", "trim"],
  ["ends in a space", "canary ", "trim"],
  ["contains a line break", "canary\nx", "not valid in an HTTP header"],
  ["contains a character beyond Latin-1", "canary\u20ac", "not valid in an HTTP header"],
])(
  "rejects a bearer token that %s, with a hint and without showing the token",
  (_what, token, hint) => {
    let error: unknown;
    try {
      bearerToken(token);
    } catch (caught) {
      error = caught;
    }
    expect(error).toMatchObject({ code: "Config" });
    expect(String(error)).toContain(hint);
    expect(String(error)).not.toContain("canary");
  },
);
