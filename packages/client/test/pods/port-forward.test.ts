import { Agent as HttpAgent, get as httpGet } from "node:http";
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from "node:net";
import { Pod } from "@typekube/api/core/v1";
import { type ApiServer, type PodHandlers, startApiServer } from "@typekube/apiserver";
import type { PortForward, PortForwardState } from "@typekube/client";
import type { KubeError } from "@typekube/core";
import { failure } from "@typekube/test-support/failure";
import { onRequest, rawServer } from "@typekube/test-support/servers";
import { acceptResponse, serverFrame } from "@typekube/test-support/web-socket-server";
import { type Client, connect } from "typekube";
import { afterEach, describe, expect, it } from "vitest";

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) {
    await one.close();
  }
});

/** Starts a server with the pod `web-0` and these handlers. */
async function start(portForward: PodHandlers["portForward"]) {
  const api: ApiServer = await startApiServer({ pods: { portForward } });
  opened.push(api);
  const listener = await api.listen({ tls: false, anonymous: true });
  const client: Client = await connect({ server: listener.server });
  opened.push(client);
  const pods = client.resource(Pod, "default");
  await pods.create({
    metadata: { name: "web-0" },
    spec: {
      containers: [
        {
          name: "main",
          image: "x",
          ports: [
            { name: "http", containerPort: 8080 },
            { name: "dns", containerPort: 53, protocol: "UDP" },
          ],
        },
      ],
    },
  });
  /** Cuts all connections, and accepts new ones at the same address. */
  const restart = async () => {
    await listener.close();
    await api.listen({ tls: false, anonymous: true, port: Number(new URL(listener.server).port) });
  };
  return { api, client, pod: pods.named("web-0"), restart };
}

/** Answers each chunk in upper case. */
const echo: PodHandlers["portForward"] = async ({ data, write }) => {
  for await (const chunk of data) {
    await write(Buffer.from(chunk).toString().toUpperCase());
  }
};

/** Number of ports on which this process listens. */
function openServers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "TCPServerWrap").length;
}

async function textOf(source: AsyncIterable<unknown>): Promise<string> {
  let text = "";
  for await (const chunk of source) {
    text += String(chunk);
  }
  return text;
}

function track(forward: PortForward): PortForward {
  opened.push(forward);
  return forward;
}

describe("a forwarded port", () => {
  it("XP1, XP4, XP10: gives sockets without a local port; ending one side leaves the other open", async () => {
    const { api, pod } = await start(async ({ data, port, write }) => {
      const question = await textOf(data);
      await write(`${port} got ${question.length}`);
    });
    await using forward = await pod.portForward(8080);
    const sockets = Array.from({ length: 20 }, () => forward.socket());
    for (const socket of sockets) {
      socket.end("question");
    }
    const answers = await Promise.all(sockets.map(textOf));
    expect(new Set(answers)).toEqual(new Set(["8080 got 8"]));
    const requests = api.requests.filter(({ subresource }) => subresource === "portforward");
    expect(requests.length).toBeLessThanOrEqual(20);
    expect(requests[0]?.path).toContain("/portforward?ports=8080");
  });

  it("XP8, XP10: listens on a free local port for any program; fetch works through it", async () => {
    const { pod } = await start(async ({ data, write }) => {
      for await (const chunk of data) {
        if (Buffer.from(chunk).includes("\r\n\r\n")) {
          await write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello");
          return;
        }
      }
    });
    await using forward = await pod.portForward("http");
    expect(forward.url).toBeUndefined();
    const listener = await forward.listen();
    expect(listener.port).toBeGreaterThan(0);
    expect(forward.url).toBe(`http://127.0.0.1:${listener.port}`);
    expect(await (await fetch(listener.url)).text()).toBe("hello");
    const agent = new HttpAgent();
    agent.createConnection = (() => forward.socket()) as never;
    const body = await new Promise<string>((resolve, reject) => {
      httpGet({ agent, path: "/" }, (response) => textOf(response).then(resolve)).on(
        "error",
        reject,
      );
    });
    expect(body).toBe("hello");
  });

  it("XP8: a taken port is an error; a given address must succeed", async () => {
    const { pod } = await start(echo);
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const { port } = taken.address() as AddressInfo;
    await using forward = await pod.portForward(8080);
    const error = await failure(forward.listen(port, { host: "127.0.0.1" }));
    expect(error).toMatchObject({ code: "Config", cause: { code: "EADDRINUSE" } });
    expect(await failure(forward.listen(0, { host: "192.0.2.1" }))).toMatchObject({
      code: "Config",
    });
    taken.close();
  });

  it("XP9, XP12: takes kubectl's forms of ports, and refuses others", async () => {
    const { pod } = await start(echo);
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, "127.0.0.1", resolve));
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    const forward = track(await pod.portForward(`${port}:http`));
    expect((await forward.listen()).port).toBe(port);
    expect((await track(await pod.portForward(":8080")).listen()).port).not.toBe(8080);
    for (const spec of [
      0,
      65_536,
      1.5,
      "0",
      "80:",
      "a:80",
      "70000:80",
      "8080:0",
      "",
      "x y",
      "-1",
    ]) {
      expect(await failure(pod.portForward(spec))).toMatchObject({ code: "InvalidArgument" });
    }
    expect(await failure(pod.portForward("nope"))).toMatchObject({ hint: "it has http, dns" });
    for (const spec of ["dns", 53]) {
      const error = await failure(pod.portForward(spec));
      expect(error.message).toContain("is UDP, not TCP");
    }
  });

  it("XP5: a port that the pod refuses resets that connection only, and says why", async () => {
    const { pod } = await start(async (port) => {
      for await (const chunk of port.data) {
        if (String(Buffer.from(chunk)) === "bad") {
          throw new Error("connection refused in the pod");
        }
        await port.write(`ok ${Buffer.from(chunk)}`);
      }
    });
    const errors: KubeError[] = [];
    await using forward = await pod.portForward(8080, { onError: (error) => errors.push(error) });
    const { port } = await forward.listen(0);
    const good = connectSocket(port, "127.0.0.1");
    good.write("first");
    await new Promise((resolve) => good.once("data", resolve));
    const bad = connectSocket(port, "127.0.0.1");
    bad.write("bad");
    const end = await new Promise<Error>((resolve) => bad.once("error", resolve));
    expect(end).toMatchObject({ code: "ECONNRESET" });
    await expect.poll(() => errors.length).toBe(1);
    expect(errors[0]?.message).toContain("connection refused in the pod");
    good.end("second");
    expect(await textOf(good)).toContain("ok second");
  });

  it("XP15: the local side may end or break at any time", async () => {
    let running = 0;
    const { pod } = await start(async ({ data, write, signal }) => {
      running += 1;
      for await (const chunk of data) {
        await write(chunk);
      }
      await new Promise((resolve) => setImmediate(resolve));
      await write("late").catch(() => {});
      signal.throwIfAborted();
      running -= 1;
    });
    await using forward = await pod.portForward(8080);
    const { port } = await forward.listen(0);
    for (let count = 0; count < 20; count++) {
      const socket = connectSocket(port, "127.0.0.1");
      socket.on("error", () => {});
      socket.write("x");
      if (count % 2 === 0) {
        socket.destroy();
      } else {
        await new Promise((resolve) => socket.once("data", resolve));
        socket.resetAndDestroy();
      }
    }
    const socket = forward.socket();
    socket.end("y");
    expect(await textOf(socket)).toBe("ylate");
    await expect.poll(() => running).toBe(0);
  });

  it("XP7: a lost session is opened again by the next connection; the listener stays", async () => {
    const { pod, restart } = await start(echo);
    const states: PortForwardState[] = [];
    await using forward = await pod.portForward(8080, { onState: (state) => states.push(state) });
    const { port } = await forward.listen(0);
    const ask = async () => {
      const socket = connectSocket(port, "127.0.0.1");
      socket.end("hi");
      return textOf(socket);
    };
    expect(await ask()).toBe("HI");
    const lost = forward.socket();
    lost.write("x");
    await new Promise((resolve) => lost.once("data", resolve));
    const failed = new Promise<Error>((resolve) => lost.once("error", resolve));
    await restart();
    const error = await failed;
    expect(error).toMatchObject({ code: "ConnectionReset" });
    await expect.poll(() => forward.state).toBe("lost");
    expect(await ask()).toBe("HI");
    expect(states).toEqual(["open", "lost", "open"]);
  });

  it("XP13: one slow reader does not stop the others", async () => {
    const { pod } = await start(async ({ data, write }) => {
      const [first] = [await data[Symbol.asyncIterator]().next()];
      const count = Number(Buffer.from(first.value as Uint8Array).toString());
      for (let at = 0; at < count; at++) {
        await write(Buffer.alloc(64 * 1024, at));
      }
    });
    await using forward = await pod.portForward(8080);
    const slow = forward.socket();
    slow.write("1000");
    await new Promise((resolve) => slow.once("readable", resolve));
    const sizes = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const socket = forward.socket();
        socket.write("40");
        let bytes = 0;
        for await (const chunk of socket) {
          bytes += (chunk as Buffer).byteLength;
        }
        return bytes;
      }),
    );
    expect(new Set(sizes)).toEqual(new Set([40 * 64 * 1024]));
    slow.destroy();
  });

  it("XP14: many short connections reuse a tunnel and leave nothing behind", async () => {
    const { api, pod } = await start(echo);
    await using forward = await pod.portForward(8080);
    for (let count = 0; count < 300; count++) {
      const socket = forward.socket();
      socket.end("x");
      expect(await textOf(socket)).toBe("X");
    }
    const requests = api.requests.filter(({ subresource }) => subresource === "portforward");
    expect(requests.length).toBe(1);
  });

  it("XP16: an abort closes listeners and sockets", async () => {
    const { pod } = await start(echo);
    const abort = new AbortController();
    const forward = await pod.portForward(8080, { signal: abort.signal });
    const { port } = await forward.listen(0);
    const socket: Socket = connectSocket(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write("x");
    await new Promise((resolve) => socket.once("data", resolve));
    abort.abort(new Error("enough"));
    await new Promise((resolve) => socket.once("close", resolve));
    expect(forward.state).toBe("closed");
    expect(() => forward.socket()).toThrow(/the port-forward is closed/);
    const refused = connectSocket(port, "127.0.0.1");
    expect(await new Promise((resolve) => refused.once("error", resolve))).toMatchObject({
      code: "ECONNREFUSED",
    });
    await expect(pod.portForward(8080, { signal: abort.signal })).rejects.toThrow("enough");
  });

  it("XP16: a port that is still being opened when the port-forward closes does not stay open", async () => {
    const { pod } = await start(echo);
    const forward = await pod.portForward(80);
    const before = openServers();
    const listening = failure(forward.listen(0));
    await forward.close();
    expect(await listening).toMatchObject({ code: "Closed" });
    await expect.poll(openServers).toBe(before);
  });

  it("the first refusal is the error of portForward", async () => {
    const { client } = await start(echo);
    const missing = client.resource(Pod, "default").named("web-9");
    expect(await failure(missing.portForward(80))).toMatchObject({ code: "NotFound" });
  });
});

describe("a server without tunnels", () => {
  /** Starts a server that forbids to read pods, and lets the test speak on each WebSocket. */
  const channelServer = (speak: (socket: Socket) => void) =>
    rawServer((socket) => {
      onRequest(socket, (head) => {
        if (!head.includes("/portforward?ports=8080 ")) {
          socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
          return;
        }
        socket.removeAllListeners("data");
        const port = Buffer.of(0x90, 0x1f);
        socket.write(acceptResponse(head, "v4.channel.k8s.io"));
        socket.write(Buffer.concat([serverFrame(0x82, 0, port), serverFrame(0x82, 1, port)]));
        speak(socket);
      });
    });
  const normalClose = serverFrame(0x88, 0x03, 0xe8);

  it("XP2: one WebSocket per connection, whose channels begin with the port", async () => {
    let sockets = 0;
    await using server = await channelServer((socket) => {
      sockets += 1;
      socket.once("data", () => {
        socket.write(serverFrame(0x82, 0, "answer"));
        socket.end(normalClose);
      });
    });
    await using client = await connect({ server: server.url });
    await using forward = await client.resource(Pod, "default").named("web-0").portForward(8080);
    for (let count = 0; count < 3; count++) {
      const socket = forward.socket();
      socket.write("question");
      expect(await textOf(socket)).toBe("answer");
    }
    expect(sockets).toBe(3);
  });

  it("XP2, XP5: a text on its error channel is the error of the socket", async () => {
    await using server = await channelServer((socket) => {
      socket.write(serverFrame(0x82, 1, "refused in the pod"));
      socket.end(normalClose);
    });
    await using client = await connect({ server: server.url });
    await using forward = await client.resource(Pod, "default").named("web-0").portForward(8080);
    const error = await new Promise<Error>((resolve) => forward.socket().once("error", resolve));
    expect(error.message).toContain("refused in the pod");
  });
});
