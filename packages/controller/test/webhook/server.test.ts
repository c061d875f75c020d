import assert from "node:assert/strict";
import { once } from "node:events";
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { Agent, request as httpsRequest } from "node:https";
import { setImmediate } from "node:timers/promises";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { admission, type Validator } from "@typekube/controller";
import { systemClock } from "@typekube/core/internal";
import { manualClock } from "@typekube/test-support/manual-clock";
import { makeCertificate } from "@typekube/transport/internal";
import { afterEach, describe, expect, test } from "vitest";
import { createDispatcher } from "../../src/webhook/endpoint/create-webhook.js";
import { confirmHandshake } from "../../src/webhook/server/confirm-handshake.js";
import { WebhookServer } from "../../src/webhook/server/webhook-server.js";
import { Shop } from "../shop.js";
import { admissionReview, type Reply, reviewOf } from "./requests.js";

const subject = { commonName: "test-ca" };
const { cert: ca, privateKey } = makeCertificate({ subject, use: "authority" });
const pair = (name = "first") =>
  makeCertificate({
    subject: { commonName: name },
    use: "server",
    hosts: ["127.0.0.1"],
    issuer: { subject, key: privateKey },
  });
const path = "/validate-example-com-v1-shop";
const review = JSON.stringify(admissionReview({ object: { metadata: { name: "tea" } } }));

const cleanUp: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const clean of cleanUp.splice(0).reverse()) {
    await clean();
  }
});

async function serve(
  validate: Validator<Shop, "CREATE" | "UPDATE"> = () => undefined,
  clock = systemClock,
) {
  const dispatcher = createDispatcher([admission(Shop, { validate })], clock, [], () => {});
  const settings = { dispatcher, host: "127.0.0.1", port: 0, clock, onError: () => {} };
  const server = new WebhookServer(pair(), settings);
  await server.listen();
  cleanUp.push(() => server.close({ lameDuckMs: 0, drainMs: 0 }, AbortSignal.abort()));
  return server;
}

function agent(): Agent {
  const made = new Agent({ keepAlive: true, maxSockets: 1, ca });
  cleanUp.push(() => made.destroy());
  return made;
}

/** Posts over HTTP/1.1. */
function post(
  { port }: WebhookServer,
  body: string | Uint8Array,
  { agent: own = agent(), headers = {}, url = path } = {} as {
    agent?: Agent;
    headers?: Record<string, string>;
    url?: string;
  },
): Promise<Reply & { readonly headers: NodeJS.Dict<string | string[]>; readonly socket: unknown }> {
  return new Promise((resolve, reject) => {
    const all = { "content-type": "application/json", ...headers };
    const request = httpsRequest(
      { host: "127.0.0.1", port, path: url, method: "POST", agent: own, headers: all },
      async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) {
          chunks.push(chunk as Buffer);
        }
        const text = Buffer.concat(chunks).toString();
        const { statusCode: status = 0, socket } = response;
        resolve({ status, body: JSON.parse(text), headers: response.headers, socket });
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}

function http2(port: number): ClientHttp2Session {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { ca });
  cleanUp.push(() => session.destroy());
  return session;
}

async function postOver(session: ClientHttp2Session): Promise<number> {
  const headers = { ":method": "POST", ":path": path, "content-type": "application/json" };
  const stream = session.request(headers);
  stream.end(review);
  const [response] = await once(stream, "response");
  stream.resume();
  await once(stream, "end");
  return response[":status"];
}

/** A validator that waits until the test opens it. */
function gated() {
  let open = () => {};
  let entered = () => {};
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  const isEntered = new Promise<void>((resolve) => {
    entered = resolve;
  });
  const validate = async () => {
    entered();
    await isOpen;
  };
  return { validate, open: () => open(), isEntered };
}

describe("the webhook server", () => {
  test("CA17, CA32: serves HTTP/1.1 and HTTP/2 with TLS 1.2 and later", async () => {
    const server = await serve();
    expect(reviewOf(await post(server, review))).toMatchObject({ allowed: true });
    const session = http2(server.port);
    expect([await postOver(session), session.alpnProtocol]).toEqual([200, "h2"]);
    const old = connectTls({
      host: "127.0.0.1",
      port: server.port,
      ca,
      maxVersion: "TLSv1.1",
      minVersion: "TLSv1",
      ciphers: "DEFAULT:@SECLEVEL=0",
    });
    await assert.rejects(once(old, "secureConnect"));
  });

  test("CA2: after each refused request the connection is used again", async () => {
    const server = await serve();
    const own = agent();
    const refused = [
      await post(server, review, { agent: own, headers: { "content-type": "text/plain" } }),
      await post(server, "", { agent: own }),
      await post(server, "{", { agent: own }),
      await post(server, "{}", { agent: own }),
      await post(server, Buffer.alloc(9 * 1024 * 1024, 32), { agent: own }),
      await post(server, review, { agent: own, url: "/other" }),
    ];
    const fine = await post(server, review, { agent: own });
    expect([...refused, fine].map(({ status }) => status)).toEqual([
      400, 400, 400, 400, 413, 404, 200,
    ]);
    expect(refused.map(({ body }) => body["kind"])).toEqual(Array(6).fill("Status"));
    expect(new Set([...refused, fine].map(({ socket }) => socket)).size).toBe(1);
  });

  test("CA2: a body without an end closes the connection", async () => {
    const server = await serve();
    const socket = connectTls({ host: "127.0.0.1", port: server.port, ca });
    await once(socket, "secureConnect");
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000000000\r\n\r\n`,
    );
    const chunk = Buffer.alloc(1024 * 1024, 32);
    let sent = 0;
    let answer = "";
    socket.on("data", (data) => {
      answer += data;
    });
    socket.on("error", () => {});
    while (answer === "" && sent < 200) {
      sent += 1;
      socket.write(chunk);
      await setImmediate();
    }
    socket.destroy();
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer.toLowerCase()).toContain("connection: close");
  });

  test("CA5: a client that leaves aborts the signal of its review", async () => {
    let reason: unknown;
    let left = () => {};
    const aborted = new Promise<void>((resolve) => {
      left = resolve;
    });
    const { validate, isEntered } = gated();
    const server = await serve(({ signal }) => {
      signal.addEventListener("abort", () => {
        reason = signal.reason;
        left();
      });
      return validate();
    });
    const own = agent();
    const reply = post(server, review, { agent: own }).catch(() => "gone");
    await isEntered;
    own.destroy();
    expect(await reply).toBe("gone");
    await aborted;
    expect(String(reason)).toContain("the client closed the connection");
  });

  test("CA18: another certificate is served to new connections, and open ones go on", async () => {
    const server = await serve();
    const own = agent();
    const before = await post(server, review, { agent: own });
    server.setCertificate(pair("second"));
    const after = await post(server, review, { agent: own });
    expect(after.socket).toBe(before.socket);
    const fresh = await post(server, review);
    const nameOf = ({ socket }: { socket: unknown }) =>
      (socket as TLSSocket).getPeerX509Certificate()?.subject;
    expect(fresh.status).toBe(200);
    const probe = connectTls({ host: "127.0.0.1", port: server.port, ca });
    await once(probe, "secureConnect");
    expect(nameOf({ socket: probe })).toBe("CN=second");
    probe.destroy();
  });

  test("CA26: a handshake is confirmed only with the right authority and name", async () => {
    const server = await serve();
    const target = { host: "127.0.0.1", port: server.port, ca, name: "127.0.0.1" };
    await confirmHandshake(target);
    const other = makeCertificate({ subject: { commonName: "other" }, use: "authority" });
    await assert.rejects(confirmHandshake({ ...target, ca: other.cert }), { code: "Tls" });
    await assert.rejects(confirmHandshake({ ...target, name: "shop-hooks.prod.svc" }), {
      code: "Tls",
    });
  });

  test("CA17: a port that is taken is a Config error that names the option", async () => {
    const { port } = await serve();
    const dispatcher = createDispatcher([], systemClock, [], () => {});
    const settings = { dispatcher, host: "127.0.0.1", port, clock: systemClock, onError: () => {} };
    await assert.rejects(new WebhookServer(pair(), settings).listen(), {
      code: "Config",
      message: /choose another port with webhooks.port/,
    });
  });
});

describe("stopping the webhook server", () => {
  test("CA29: not ready at once, accepts reviews for 5 s, then finishes those in progress", async () => {
    const clock = manualClock();
    const { validate, open, isEntered } = gated();
    const server = await serve(validate, clock);
    const own = agent();
    const inFlight = post(server, review, { agent: own });
    await isEntered;
    const closed = server.close({ lameDuckMs: 5_000, drainMs: 60_000 });
    expect(server.isReady).toBe(false);
    const late = post(server, review);
    await expect.poll(() => server.active).toBe(2);
    clock.advance(5_000);
    await expect
      .poll(() =>
        post(server, review).then(
          () => "accepted",
          ({ code }) => code,
        ),
      )
      .toBe("ECONNREFUSED");
    open();
    const replies = await Promise.all([inFlight, late]);
    expect(replies.map(({ status, headers }) => [status, headers["connection"]])).toEqual([
      [200, "close"],
      [200, "close"],
    ]);
    await closed;
    expect([server.active, clock.pending]).toEqual([0, 0]);
  });

  test("CA29: idle connections of both protocols are closed, without waiting", async () => {
    const clock = manualClock();
    const server = await serve(undefined, clock);
    const own = agent();
    await post(server, review, { agent: own });
    const session = http2(server.port);
    await postOver(session);
    const gone = once(session, "close");
    await server.close({ lameDuckMs: 0, drainMs: 60_000 });
    await gone;
    expect(clock.pending).toBe(0);
  });

  test("CA29: a review that does not end is cut after a minute", async () => {
    const clock = manualClock();
    const { validate, isEntered } = gated();
    const server = await serve(validate, clock);
    const reply = post(server, review, { url: `${path}?timeout=1h` }).catch(
      ({ code }: { code: string }) => code,
    );
    await isEntered;
    const closed = server.close({ lameDuckMs: 0, drainMs: 60_000 });
    clock.advance(60_000);
    await closed;
    expect([await reply, clock.pending]).toEqual(["ECONNRESET", 0]);
  });

  test("CA29: an aborted signal ends all waits", async () => {
    const { validate, isEntered } = gated();
    const server = await serve(validate, manualClock());
    const reply = post(server, review).catch(({ code }: { code: string }) => code);
    await isEntered;
    await server.close({ lameDuckMs: 5_000, drainMs: 60_000 }, AbortSignal.abort());
    expect(await reply).toBe("ECONNRESET");
  });
});
