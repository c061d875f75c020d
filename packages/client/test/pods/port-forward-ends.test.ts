import { once } from "node:events";
import { connect as connectSocket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Pod } from "@typekube/api/core/v1";
import type { PodHandlers } from "@typekube/apiserver";
import { SpdySession, type SpdyStream } from "@typekube/core/internal/streams";
import { onRequest, rawServer } from "@typekube/test-support/servers";
import { acceptResponse, serverFrame } from "@typekube/test-support/web-socket-server";
import { WebSocketConnection } from "@typekube/transport/internal";
import { connect } from "typekube";
import { expect, it } from "vitest";
import { twoContainerPod } from "../helpers/two-container-pod.js";

const tunnel = "SPDY/3.1+portforward.k8s.io";
const normalClose = serverFrame(0x88, 0x03, 0xe8);

async function textOf(source: AsyncIterable<unknown>): Promise<string> {
  let text = "";
  for await (const chunk of source) {
    text += String(chunk);
  }
  return text;
}

it("XP16: an abort during the handshake is the reason of the call", async () => {
  let isAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  await using server = await rawServer((socket) => {
    onRequest(socket, (head) => {
      if (head.includes("/portforward")) {
        isAsked();
      } else {
        socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
      }
    });
  });
  await using client = await connect({ server: server.url });
  const abort = new AbortController();
  const { signal } = abort;
  const opening = client.resource(Pod, "default").named("web-0").portForward(80, { signal });
  await asked;
  const reason = new Error("enough");
  abort.abort(reason);
  await expect(opening).rejects.toBe(reason);
});

it("XP16: closing cuts a tunnel whose server reads nothing", async () => {
  await using server = await rawServer((socket) => {
    onRequest(socket, (head) => {
      if (!head.includes("/portforward")) {
        socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
        return;
      }
      socket.write(acceptResponse(head, tunnel));
      socket.pause();
    });
  });
  await using client = await connect({ server: server.url });
  const forward = await client.resource(Pod, "default").named("web-0").portForward(80);
  const socket = forward.socket();
  socket.on("error", () => {});
  socket.write(Buffer.alloc(32 * 1024 * 1024));
  const before = server.connections;
  await forward.close();
  // The connection that read the pod, and the tunnel.
  await server.closed(before);
});

it("XP2: a connection that the pod has closed before its first use is opened again", async () => {
  let opened = 0;
  let onClosed = () => {};
  const closed = new Promise<void>((resolve) => {
    onClosed = resolve;
  });
  await using server = await rawServer((socket) => {
    onRequest(socket, (head) => {
      if (!head.includes("/portforward")) {
        socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
        return;
      }
      socket.removeAllListeners("data");
      socket.write(acceptResponse(head, "v4.channel.k8s.io"));
      socket.resume();
      opened += 1;
      if (opened === 1) {
        socket.once("close", onClosed);
      } else {
        socket.write(serverFrame(0x82, 0, 0x90, 0x1f, "answer"));
      }
      socket.end(normalClose);
    });
  });
  await using client = await connect({ server: server.url });
  await using forward = await client.resource(Pod, "default").named("web-0").portForward(8080);
  await closed;
  for (let turn = 0; turn < 10; turn++) {
    await nextTurn();
  }
  expect(await textOf(forward.socket())).toBe("answer");
  expect(opened).toBe(2);
});

it("XP14: bytes that a handler does not read do not stop the connections after it", async () => {
  const portForward: PodHandlers["portForward"] = async ({ data, write }) => {
    for await (const chunk of data) {
      await write(Buffer.from(chunk).toString("latin1", 0, 4));
      break;
    }
  };
  const { pod } = await twoContainerPod({ pods: { portForward } });
  await using forward = await pod.portForward(8080);
  const first = forward.socket();
  first.write(Buffer.alloc(8 * 1024 * 1024, "x"));
  expect(await textOf(first)).toBe("xxxx");
  const second = forward.socket();
  second.write("more");
  expect(await textOf(second)).toBe("more");
});

it("XP13: a server that allows one tunnel only has all connections on it", async () => {
  let tunnels = 0;
  const serve = async (connection: WebSocketConnection) => {
    const session = new SpdySession({
      send: (bytes) => connection.send(bytes),
      onStream: (stream) => void echo(stream),
    });
    for await (const { bytes } of connection.messages()) {
      await session.receive(bytes);
    }
    session.close();
  };
  const echo = async (stream: SpdyStream) => {
    for await (const chunk of stream.data) {
      await stream.write(chunk);
    }
    await stream.end();
  };
  await using server = await rawServer((socket) => {
    onRequest(socket, (head) => {
      if (!head.includes("/portforward") || tunnels === 1) {
        socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
        return;
      }
      tunnels += 1;
      socket.removeAllListeners("data");
      socket.write(acceptResponse(head, tunnel));
      void serve(new WebSocketConnection(socket, { role: "server", protocol: tunnel }));
    });
  });
  await using client = await connect({ server: server.url });
  await using forward = await client.resource(Pod, "default").named("web-0").portForward(80);
  const sockets = ["one", "two", "three"].map((text) => {
    const socket = forward.socket();
    socket.write(text);
    return { socket, text };
  });
  for (const { socket, text } of sockets) {
    const [chunk] = (await once(socket, "data")) as [Buffer];
    expect(String(chunk)).toBe(text);
  }
  expect(forward.state).toBe("open");
});

it("XP6, XP13: of 200 connections at once, those that are reset do not harm the others", async () => {
  let running = 0;
  const portForward: PodHandlers["portForward"] = async ({ data, write }) => {
    running += 1;
    try {
      for await (const chunk of data) {
        await write(chunk);
      }
    } finally {
      running -= 1;
    }
  };
  const { pod } = await twoContainerPod({ pods: { portForward } });
  await using forward = await pod.portForward(8080);
  const { port } = await forward.listen(0);
  const bytes = Buffer.alloc(300_000, "0123456789abcdef");
  const send = async (isReset: boolean) => {
    const socket = connectSocket(port, "127.0.0.1");
    socket.on("error", () => {});
    const chunks: Buffer[] = [];
    socket.end(bytes);
    for await (const chunk of socket) {
      chunks.push(chunk as Buffer);
      if (isReset) {
        socket.resetAndDestroy();
        return true;
      }
    }
    return Buffer.concat(chunks).equals(bytes);
  };
  const results = await Promise.all(Array.from({ length: 200 }, (_, at) => send(at % 3 === 0)));
  expect(results.every(Boolean)).toBe(true);
  await expect.poll(() => running).toBe(0);
});

it("XP10: a client that begins to connect when the socket is connected is notified", async () => {
  const { pod } = await twoContainerPod({ pods: { portForward: async () => {} } });
  await using forward = await pod.portForward(5432);
  const socket = forward.socket();
  await once(socket, "connect");
  // As a client of PostgreSQL does, which gets its socket long before it connects.
  const connected = once(socket.connect(5432, "localhost"), "connect");
  await connected;
  const isCalled = await new Promise((resolve) => socket.connect(() => resolve(true)));
  expect(isCalled).toBe(true);
});
