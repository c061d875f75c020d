import { once } from "node:events";
import { connect, type TLSSocket } from "node:tls";
import { ConfigMap } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import { findAssets } from "@typekube/test-support/real-server/assets";
import { startRealServer } from "@typekube/test-support/real-server/real-server";
import { connect as connectClient } from "typekube";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

interface Target extends AsyncDisposable {
  connectOptions(): { readonly server: string; readonly token: string; readonly ca?: string };
}

async function embedded(): Promise<Target> {
  const api = await startApiServer({ featureGates: { CBORServingAndStorage: true } });
  const listener = await api.listen();
  return {
    connectOptions: () => listener.connectOptions(),
    [Symbol.asyncDispose]: async () => {
      await listener.close();
      await api.close();
    },
  };
}

const real =
  (await findAssets()) === undefined ? [] : [["kube-apiserver", startRealServer] as const];
const path = "/api/v1/namespaces/default/configmaps";
const key = "AAAAAAAAAAAAAAAAAAAAAA==";
const wish = { upgrade: "websocket", connection: "Upgrade" };
const origin = "https://example.com";
const good = { ...wish, origin, "sec-websocket-version": "13", "sec-websocket-key": key };

interface Frame {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** A connection that buffers what the server sends: the head of the response, then frames or a body. */
class Wire {
  #bytes = Buffer.alloc(0);
  readonly socket: TLSSocket;
  readonly ended: Promise<unknown>;

  constructor(socket: TLSSocket) {
    this.socket = socket;
    this.ended = once(socket, "close");
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
    });
  }

  async #take(length: number): Promise<Buffer> {
    while (this.#bytes.byteLength < length && !this.socket.destroyed) {
      await Promise.race([once(this.socket, "data"), this.ended]);
    }
    const taken = this.#bytes.subarray(0, length);
    this.#bytes = this.#bytes.subarray(length);
    return taken;
  }

  async head(): Promise<{ status: string; headers: Record<string, string> }> {
    let head = "";
    while (!head.endsWith("\r\n\r\n") && !this.socket.destroyed) {
      head += (await this.#take(1)).toString("latin1");
    }
    const [status = "", ...lines] = head.trim().split("\r\n");
    const headers = lines.map((line) => [
      line.slice(0, line.indexOf(":")).toLowerCase(),
      line.slice(line.indexOf(":") + 2),
    ]);
    return { status, headers: Object.fromEntries(headers) };
  }

  async frame(): Promise<Frame | "end"> {
    const start = await this.#take(2);
    if (start.byteLength < 2) {
      return "end";
    }
    const [first = 0, second = 0] = start;
    expect([first & 0x80, second & 0x80]).toEqual([0x80, 0]);
    const length =
      second < 126
        ? second
        : second === 126
          ? (await this.#take(2)).readUInt16BE()
          : Number((await this.#take(8)).readBigUInt64BE());
    return { opcode: first & 0x0f, payload: await this.#take(length) };
  }

  /** Sends a masked frame, as clients must. */
  send(opcode: number, payload: string): void {
    const mask = Buffer.from([1, 2, 3, 4]);
    const bytes = Buffer.from(payload).map((byte, at) => byte ^ (mask[at % 4] ?? 0));
    this.socket.write(
      Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | bytes.length]), mask, bytes]),
    );
  }

  async rest(): Promise<string> {
    await this.ended;
    return this.#bytes.toString();
  }
}

describe.each([["embedded", embedded] as const, ...real])(
  "watches over WebSocket on %s",
  (_, start) => {
    let target: Target;
    beforeAll(async () => {
      target = (await start()) as Target;
      const client = await connectClient(target.connectOptions());
      await client
        .resource(ConfigMap, "default")
        .create({ metadata: { name: "a", labels: { watched: "yes" } } });
      await client.close();
    });
    afterAll(() => target[Symbol.asyncDispose]());

    async function open(
      query: string,
      headers: Readonly<Record<string, string>>,
      withToken = true,
    ): Promise<Wire> {
      const { server, token, ca } = target.connectOptions();
      const { hostname: host, port } = new URL(server);
      const socket = connect({ host, port: Number(port), ca: ca as string });
      await once(socket, "secureConnect");
      const all = {
        host,
        ...(withToken ? { authorization: `Bearer ${token}` } : {}),
        ...headers,
      };
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
      const wire = new Wire(socket);
      socket.write([`GET ${path}?${query} HTTP/1.1`, ...lines, "", ""].join("\r\n"));
      return wire;
    }
    const ofTheFuture =
      "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion=99999999";
    const state = "watch=1&labelSelector=watched%3Dyes&resourceVersion=0";

    it("responds with 101 and sends each event as one text message", async () => {
      const wire = await open(state, good);
      const { status, headers } = await wire.head();
      expect(status).toBe("HTTP/1.1 101 Switching Protocols");
      expect(headers["sec-websocket-accept"]).toBe("ICX+Yqv66kxgM0FcWaLWlFLwTAI=");
      expect(headers).not.toHaveProperty("sec-websocket-protocol");
      expect(headers).not.toHaveProperty("content-type");
      const frame = (await wire.frame()) as Frame;
      expect(frame.opcode).toBe(1);
      expect(frame.payload.toString()).toMatch(/^\{"type":"ADDED","object":\{.*\}\}\n$/s);
      const client = await connectClient(target.connectOptions());
      const maps = client.resource(ConfigMap, "default");
      await maps.create({ metadata: { name: "b", labels: { watched: "yes" } } });
      await maps.delete("b");
      const types = [];
      for (let at = 0; at < 2; at++) {
        const { payload } = (await wire.frame()) as Frame;
        const event = JSON.parse(payload.toString());
        types.push([event.type, event.object.metadata.name]);
      }
      expect(types).toEqual([
        ["ADDED", "b"],
        ["DELETED", "b"],
      ]);
      await client.close();
      wire.send(9, "hi");
      expect(await wire.frame()).toEqual({ opcode: 10, payload: Buffer.from("hi") });
      wire.send(1, "a message of the client means nothing");
      wire.send(8, "");
      expect(await wire.frame()).toEqual({ opcode: 8, payload: Buffer.from([3, 232]) });
      await wire.ended;
    });

    it("ends with a close frame of code 1000 after timeoutSeconds", async () => {
      const wire = await open("watch=1&timeoutSeconds=1&labelSelector=none", good);
      await wire.head();
      expect(await wire.frame()).toEqual({ opcode: 8, payload: Buffer.from([3, 232]) });
      await wire.ended;
    });

    it("sends an error of a running watch as an event, then closes", async () => {
      const wire = await open(ofTheFuture, good);
      expect((await wire.head()).status).toContain("101");
      const { opcode, payload } = (await wire.frame()) as Frame;
      const { type, object } = JSON.parse(payload.toString());
      expect([opcode, type, object.code]).toEqual([1, "ERROR", 504]);
      expect(await wire.frame()).toMatchObject({ opcode: 8 });
      await wire.ended;
    });

    it.each([
      [
        "application/vnd.kubernetes.protobuf",
        (bytes: Buffer) => bytes.subarray(0, 7).toString("latin1"),
        "\n\u0005ADDED",
      ],
      ["application/cbor", (bytes: Buffer) => bytes.subarray(0, 3).toString("hex"), "d9d9f7"],
    ])(
      "sends %s in binary messages without additional framing",
      async (accept, start, expected) => {
        const wire = await open(state, { ...good, accept });
        expect((await wire.head()).status).toContain("101");
        const { opcode, payload } = (await wire.frame()) as Frame;
        expect([opcode, start(payload)]).toEqual([2, expected]);
        wire.socket.destroy();
      },
    );

    it("sends tables in text messages", async () => {
      const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
      const wire = await open(state, { ...good, accept });
      await wire.head();
      const { payload } = (await wire.frame()) as Frame;
      expect(JSON.parse(payload.toString())).toMatchObject({
        type: "ADDED",
        object: { kind: "Table" },
      });
      wire.socket.destroy();
    });

    it.each(["binary.k8s.io", "base64.binary.k8s.io", "anything"])(
      "accepts the only subprotocol %s and still sends text",
      async (protocol) => {
        const wire = await open(state, { ...good, "sec-websocket-protocol": protocol });
        expect((await wire.head()).headers["sec-websocket-protocol"]).toBe(protocol);
        expect(await wire.frame()).toMatchObject({ opcode: 1 });
        wire.socket.destroy();
      },
    );

    it("reads the token from the subprotocols and never echoes it", async () => {
      const { token } = target.connectOptions();
      const bearer = `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString("base64url")}`;
      const both = await open(state, { ...good, "sec-websocket-protocol": `${bearer}, x` }, false);
      const { status, headers } = await both.head();
      expect([status, headers["sec-websocket-protocol"]]).toEqual([
        "HTTP/1.1 101 Switching Protocols",
        "x",
      ]);
      both.socket.destroy();
      const alone = await open(state, { ...good, "sec-websocket-protocol": bearer }, false);
      expect((await alone.head()).status).toBe("HTTP/1.1 401 Unauthorized");
      alone.socket.destroy();
    });

    it.each([
      [
        "two subprotocols",
        { ...good, "sec-websocket-protocol": "a, b" },
        "HTTP/1.1 400 Bad Request",
        "",
      ],
      [
        "no key",
        { ...wish, "sec-websocket-version": "13" },
        "HTTP/1.1 400 Bad Request",
        "mismatch challenge/response",
      ],
      [
        "another version",
        { ...good, "sec-websocket-version": "8" },
        "HTTP/1.1 400 Bad Request",
        "missing or bad WebSocket Version",
      ],
      [
        "no origin",
        { ...wish, "sec-websocket-version": "13", "sec-websocket-key": key },
        "HTTP/1.1 403 Forbidden",
        "",
      ],
      ["an origin that is not a URL", { ...good, origin: "null" }, "HTTP/1.1 403 Forbidden", ""],
    ])("rejects a handshake with %s", async (_name, headers, status, text) => {
      const wire = await open(state, headers);
      expect((await wire.head()).status).toBe(status);
      expect(await wire.rest()).toBe(text);
    });

    it.each([
      ["an invalid selector", "watch=1&labelSelector=%3D%3D", {}, 400],
      ["an encoding that watches do not support", "watch=1", { accept: "application/yaml" }, 406],
    ])("rejects %s with a plain response", async (_name, query, more, code) => {
      const wire = await open(query, { ...good, ...more });
      expect((await wire.head()).status).toContain(`HTTP/1.1 ${code} `);
      wire.socket.destroy();
    });

    it("responds to a list request with an upgrade header as to any list", async () => {
      const wire = await open("limit=1", good);
      expect((await wire.head()).status).toBe("HTTP/1.1 200 OK");
      wire.socket.destroy();
    });
  },
);
