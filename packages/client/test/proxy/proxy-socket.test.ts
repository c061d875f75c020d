import { Pod, Service } from "@typekube/api/core/v1";
import { webSocketAccept } from "@typekube/core/internal/streams";
import { failure } from "@typekube/test-support/failure";
import { WebSocketConnection } from "@typekube/transport/internal";
import { afterEach, describe, expect, it } from "vitest";
import { type Access, backend, closeAll, served, startProxied } from "./proxied-server.js";

afterEach(closeAll);

/** Starts a backend that answers each message in its kind, with the subprotocol that was offered first. */
async function start(access: Access) {
  const server = await backend((_, response) => {
    response.writeHead(418, { "content-type": "text/plain" });
    response.end("no WebSocket here");
  });
  const paths: unknown[] = [];
  server.on("upgrade", async (request, socket, head) => {
    if (request.url === "/refused") {
      socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno");
      return;
    }
    paths.push([request.url, request.headers["x-user"]]);
    const [protocol = ""] = (request.headers["sec-websocket-protocol"] ?? "").split(", ");
    const lines = [
      "HTTP/1.1 101 Switching Protocols",
      "connection: Upgrade",
      "upgrade: websocket",
      `sec-websocket-accept: ${webSocketAccept(request.headers["sec-websocket-key"] ?? "")}`,
      ...(protocol === "" ? [] : [`sec-websocket-protocol: ${protocol}`]),
    ];
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    const connection = new WebSocketConnection(socket, { role: "server", protocol, head });
    for await (const { kind, bytes } of connection.messages()) {
      if (bytes.toString() === "bye") {
        connection.close(4_000, "as you wish");
      } else if (bytes.toString() === "cut") {
        connection.destroy();
      } else {
        await connection.send(bytes, { kind });
      }
    }
  });
  return { ...(await startProxied({ portForward: served(server) }, access)), paths };
}

describe.each<Access>(["http", "https", "in process"])(
  "a WebSocket through a proxy, %s",
  (access) => {
    it("XX4: passes messages, their kinds, the subprotocol and the close code", async () => {
      const { client, paths } = await start(access);
      const proxy = client.proxy(Service, "web", { port: "web" });
      const socket = await proxy.connect("/live//x?a=%2F", ["chat", "other"], {
        headers: { "X-User": "me" },
      });
      expect(socket.protocol).toBe("chat");
      expect(paths).toEqual([["/live//x?a=%2F", "me"]]);
      const messages = socket[Symbol.asyncIterator]();
      await socket.send("text");
      expect((await messages.next()).value).toBe("text");
      await socket.send(Buffer.from([1, 2]));
      expect((await messages.next()).value).toEqual(Buffer.from([1, 2]));
      await socket.send("bye");
      expect((await messages.next()).done).toBe(true);
      expect(await socket.ended).toEqual({ code: 4_000, reason: "as you wish" });
    });

    it("XX4: works without subprotocols, and closes with its scope", async () => {
      const { client } = await start(access);
      await using socket = await client.proxy(Pod, "web").connect("/");
      expect(socket.protocol).toBe("");
      await socket.send("x".repeat(200_000));
      for await (const message of socket) {
        expect(message).toHaveLength(200_000);
        break;
      }
    });

    it("XX4: a refusal is an error, of the backend and of the API server", async () => {
      const { client } = await start(access);
      expect(await failure(client.proxy(Pod, "web").connect("/refused"))).toMatchObject({
        code: "Forbidden",
        httpStatus: 403,
      });
      expect(await failure(client.proxy(Pod, "none").connect("/"))).toMatchObject({
        code: "NotFound",
      });
    });

    it("XX4: a lost connection is an error", async () => {
      const { client } = await start(access);
      const socket = await client.proxy(Pod, "web").connect("/");
      await socket.send("cut");
      const reading = (async () => {
        for await (const _ of socket) {
          // Nothing comes.
        }
      })();
      expect(await failure(reading)).toMatchObject({ code: expect.stringMatching(/^Connection/) });
    });
  },
);

it("an aborted signal ends a WebSocket", async () => {
  const { client } = await start("http");
  const abort = new AbortController();
  const socket = await client.proxy(Pod, "web").connect("/", [], { signal: abort.signal });
  const reading = expect(socket[Symbol.asyncIterator]().next()).rejects.toThrow("enough");
  abort.abort(new Error("enough"));
  await reading;
});
