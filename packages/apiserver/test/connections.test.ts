import { once } from "node:events";
import { connect as dial } from "node:net";
import { type ApiServer, type PodHandlers, startApiServer } from "@typekube/apiserver";
import { call, pods as podsPath } from "@typekube/test-support/api-calls";
import { openWebSocket, type WebSocket } from "@typekube/test-support/web-socket";
import { afterEach, describe, expect, it } from "vitest";

const servers: ApiServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((api) => api.close()));
});

/** Starts a server with a pod of one container, one of two, and these handlers. */
async function start(pods: PodHandlers): Promise<{ api: ApiServer; server: string }> {
  const api = await startApiServer({ pods });
  servers.push(api);
  const container = (name: string) => ({ name, image: "x" });
  for (const [name, containers, initContainers] of [
    ["one", [container("c")], undefined],
    ["two", [container("a"), container("b")], [container("i")]],
  ] as const) {
    const { status } = await call(api, "POST", podsPath, {
      metadata: { name },
      spec: { containers, initContainers },
    });
    expect(status).toBe(201);
  }
  const { server } = await api.listen({ tls: false, anonymous: true });
  return { api, server };
}

/** Opens a client of channels, which records the data of each channel and how the session ended. */
async function open(
  server: string,
  path: string,
  protocols: string[] = ["v5.channel.k8s.io"],
): Promise<{
  socket: WebSocket;
  send(channel: number, data?: string | Buffer): void;
  texts: Map<number, string>;
  closed: Promise<number>;
}> {
  const socket = openWebSocket(`${server.replace("http", "ws")}${podsPath}/${path}`, protocols);
  socket.binaryType = "arraybuffer";
  const texts = new Map<number, string>();
  socket.addEventListener("message", (event) => {
    const bytes = Buffer.from((event as Event & { data: ArrayBuffer }).data);
    const channel = bytes[0] ?? -1;
    texts.set(channel, (texts.get(channel) ?? "") + bytes.subarray(1).toString("latin1"));
  });
  const closed = once(socket, "close").then(([event]) => (event as { code: number }).code);
  await once(socket, "open");
  return {
    socket,
    texts,
    closed,
    send: (channel, data = "") =>
      socket.send(Buffer.concat([Buffer.from([channel]), Buffer.from(data as string)])),
  };
}

async function textOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

describe("exec and attach", () => {
  it("§3.21: runs a command with its three streams and returns the exit code", async () => {
    const { api, server } = await start({
      async exec({ command, container, stdin, stdout, stderr }) {
        await stdout(`${command.join(" ")} in ${container}: ${await textOf(stdin)}`);
        await stderr("done");
        return 3;
      },
    });
    const client = await open(
      server,
      "one/exec?command=cat&command=-&stdin=true&stdout=true&stderr=true",
      ["v5.channel.k8s.io", "v4.channel.k8s.io"],
    );
    expect(client.socket.protocol).toBe("v5.channel.k8s.io");
    client.send(0, "hello ");
    client.send(0, "world");
    client.send(255, Buffer.from([0]));
    expect(await client.closed).toBe(1000);
    expect(client.texts.get(1)).toBe("cat - in c: hello world");
    expect(client.texts.get(2)).toBe("done");
    expect(JSON.parse(client.texts.get(3) ?? "")).toEqual({
      metadata: {},
      status: "Failure",
      message: "command terminated with non-zero exit code: exit status 3",
      reason: "NonZeroExitCode",
      details: { causes: [{ reason: "ExitCode", message: "3" }] },
    });
    expect(api.requests.at(-1)).toMatchObject({ verb: "get", subresource: "exec", status: 101 });
  });

  it("reports success and failure; protocol v4 works without a close of stdin", async () => {
    const { server } = await start({
      exec: async ({ command: [word] }) => {
        if (word === "fail") {
          throw new Error("no such program");
        }
        return undefined;
      },
    });
    const good = await open(server, "one/exec?command=true&stdout=true", ["v4.channel.k8s.io"]);
    expect([await good.closed, good.socket.protocol]).toEqual([1000, "v4.channel.k8s.io"]);
    expect(JSON.parse(good.texts.get(3) ?? "")).toEqual({ metadata: {}, status: "Success" });
    const bad = await open(server, "one/exec?command=fail&stdout=true");
    await bad.closed;
    expect(JSON.parse(bad.texts.get(3) ?? "")).toMatchObject({
      status: "Failure",
      reason: "InternalError",
      message: "Internal error occurred: error executing command in container: no such program",
    });
  });

  it("§3.20: a browser sends its token as a subprotocol, and is rejected without one", async () => {
    const { api } = await start({ exec: async () => 0 });
    const { server, token } = await api.listen({ tls: false });
    const path = "one/exec?command=x&stdout=true";
    const shown = Buffer.from(token).toString("base64url");
    const bearer = `base64url.bearer.authorization.k8s.io.${shown}`;
    const client = await open(server, path, ["v4.channel.k8s.io", bearer]);
    expect([await client.closed, client.socket.protocol]).toEqual([1000, "v4.channel.k8s.io"]);
    const refused = openWebSocket(`${server.replace("http", "ws")}${podsPath}/${path}`, [
      "v4.channel.k8s.io",
    ]);
    await once(refused, "error");
    const [first, ...others] = api.requests.filter(({ subresource }) => subresource === "exec");
    expect([first?.user, first?.status]).toEqual(["system:admin", 101]);
    // A client may send the request again after a 401.
    expect(new Set(others.map(({ user, status }) => `${user} ${status}`))).toEqual(
      new Set(["undefined 401"]),
    );
  });

  it("a terminal sends its size, and has one output stream", async () => {
    const { server } = await start({
      async attach({ command, tty, resizes, stdout, stderr }) {
        for await (const { width, height } of resizes) {
          await stdout(`${command.length} ${tty} ${width}x${height} `);
          await stderr("too");
          return 0;
        }
        return 1;
      },
    });
    const client = await open(server, "one/attach?stdin=true&stdout=true&tty=true");
    client.send(4, "no size");
    client.send(4, '{"Width":80,"Height":24}');
    await client.closed;
    expect([client.texts.get(1), client.texts.get(2)]).toEqual(["0 true 80x24 too", undefined]);
  });

  it("a client that disconnects aborts the handler, and so does closing the server", async () => {
    const aborted: string[] = [];
    const { api, server } = await start({
      exec: ({ command: [word = ""], signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            aborted.push(word);
            resolve(0);
          });
        }),
    });
    const leaves = await open(server, "one/exec?command=a&stdout=true");
    leaves.socket.close();
    await leaves.closed;
    const stays = await open(server, "one/exec?command=b&stdout=true");
    await api.close();
    await stays.closed;
    await expect.poll(() => aborted).toEqual(["a", "b"]);
  });

  it("a slow reader holds back the handler, and the handler holds back a fast writer", async () => {
    const megabytes = 8;
    const { server } = await start({
      async exec({ stdin, stdout }) {
        let bytes = 0;
        for await (const chunk of stdin) {
          bytes += chunk.byteLength;
          await stdout(chunk);
        }
        await stdout(String(bytes));
      },
    });
    const client = await open(server, "one/exec?command=cat&stdin=true&stdout=true");
    const chunk = Buffer.alloc(64 * 1024, 97);
    for (let at = 0; at < megabytes * 16; at++) {
      client.send(0, chunk);
    }
    client.send(255, Buffer.from([0]));
    await client.closed;
    expect(client.texts.get(1)?.length).toBe(megabytes * 2 ** 20 + 7);
  });

  it.each([
    ["missing/exec?command=x&stdout=true", 404, 'pods "missing" not found'],
    ["one/exec?command=x&container=zz&stdout=true", 400, "container zz is not valid for pod one"],
    [
      "two/exec?command=x&stdout=true",
      400,
      "a container name must be specified for pod two, choose one of: [i a b]",
    ],
    ["one/exec?command=x", 400, "you must specify at least 1 of stdin, stdout, stderr"],
    ["one/exec?command=x&stdout=true", 400, "Upgrade request required"],
    // The pod has no attach handler and no node.
    ["one/attach?stdout=true", 400, "pod one does not have a host assigned"],
  ])("exec or attach: rejects %s with %i", async (path, status, message) => {
    const { server } = await start({ exec: async () => 0 });
    const response = await fetch(`${server}${podsPath}/${path}`);
    expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([
      status,
      message,
    ]);
  });

  it("a protocol error closes its own connection with a code, and no other", async () => {
    const { server } = await start({ exec: ({ signal }) => once(signal, "abort").then(() => 0) });
    const { hostname, port } = new URL(server);
    const upgrade = [
      `GET ${podsPath}/one/exec?command=x&stdin=true HTTP/1.1`,
      "host: localhost",
      "connection: keep-alive, Upgrade",
      "upgrade: websocket",
      "sec-websocket-version: 13",
      "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
      "sec-websocket-protocol: v5.channel.k8s.io",
      "\r\n",
    ].join("\r\n");
    for (const [bytes, code] of [
      ["8200", "03ea"],
      ["ff80", "03ea"],
      ["82ff00000100000000000000000000", "03f1"],
    ] as const) {
      const socket = dial(Number(port), hostname, () =>
        socket.write(Buffer.concat([Buffer.from(upgrade), Buffer.from(bytes, "hex")])),
      );
      const chunks: Buffer[] = [];
      socket.on("data", (chunk: Buffer) => chunks.push(chunk));
      await once(socket, "end");
      socket.destroy();
      const response = Buffer.concat(chunks);
      expect(response.toString("latin1")).toContain(
        "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
      );
      const frames = response.subarray(response.indexOf("\r\n\r\n") + 4);
      // A session starts with a ping, which has no payload.
      const close = frames[0] === 0x89 ? frames.subarray(2) : frames;
      expect([close[0], close.subarray(2, 4).toString("hex")]).toEqual([0x88, code]);
    }
    expect((await fetch(`${server}/version`)).status).toBe(200);
  });

  it.each([
    ["another protocol", "upgrade: h2c", "connection: upgrade, close"],
    [
      "a request with an invalid sec-websocket-key",
      "upgrade: websocket",
      "connection: upgrade, close\r\nsec-websocket-version: 13\r\nsec-websocket-key: x",
    ],
  ])("exec or attach: %s is not upgraded", async (_, first, second) => {
    const { server } = await start({ exec: async () => 0 });
    const { hostname, port } = new URL(server);
    const head = `GET ${podsPath}/one/exec?command=x&stdout=true HTTP/1.1\r\nhost: localhost\r\n${first}\r\n${second}\r\n\r\n`;
    const socket = dial(Number(port), hostname, () => socket.write(head));
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    await once(socket, "end");
    socket.destroy();
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 400 .*Upgrade request required/s);
  });
});

describe("logs", () => {
  const at = (second: number, fraction: string) => `2026-01-01T00:00:0${second}.${fraction}Z`;
  const lines = [
    { text: "first", timeMs: Date.UTC(2026, 0, 1) },
    { text: "second", timeMs: Date.UTC(2026, 0, 2) },
    { text: "third", timeMs: Date.UTC(2026, 0, 3) },
  ];

  it.each([
    ["", "first\nsecond\nthird\n"],
    ["tailLines=2", "second\nthird\n"],
    ["tailLines=0", ""],
    ["limitBytes=8", "first\nse"],
    ["sinceTime=2026-01-02T00:00:00Z", "second\nthird\n"],
    ["tailLines=1&timestamps=true", "2026-01-03T00:00:00.000000000Z third\n"],
  ])("§3.21: returns the requested lines: %s", async (query, text) => {
    const { server } = await start({ log: () => lines });
    const response = await fetch(`${server}${podsPath}/one/log?${query}`);
    expect([response.headers.get("content-type"), await response.text()]).toEqual([
      "text/plain",
      text,
    ]);
  });

  it.each([
    ["", "one long line\nnext\n"],
    ["timestamps=true", `${at(1, "100000000")} one long line\n${at(2, "000000007")} next\n`],
    // The API server passes whole seconds to the kubelet, which filters parts of lines, too.
    [`sinceTime=${at(1, "9")}`, "one long line\nnext\n"],
    [`sinceTime=${at(2, "5")}&timestamps=true`, `${at(2, "000000007")} next\n`],
    ["tailLines=2&timestamps=true", `${at(1, "200000000")}  line\n${at(2, "000000007")} next\n`],
  ])(
    "XL12: writes times with nine digits once per line, and joins partial lines: %s",
    async (query, text) => {
      const { server } = await start({
        log: () => [
          { text: "one long", time: at(1, "1"), isPartial: true },
          { text: " line", time: at(1, "2") },
          { text: "next", time: at(2, "000000007") },
        ],
      });
      const response = await fetch(`${server}${podsPath}/one/log?${query}`);
      expect(await response.text()).toBe(text);
    },
  );

  it.each([
    [{ waiting: { reason: "ContainerCreating" } }, "", "is waiting to start: ContainerCreating"],
    [{ waiting: { reason: "ErrImagePull" } }, "", "is waiting to start: image can't be pulled"],
    [{ running: {} }, "previous=true", "not found"],
  ])(
    "XL3: a container without a log is refused as by the kubelet: %j %s",
    async (state, query, message) => {
      const { api } = await start({ log: () => lines });
      const status = { name: "c", image: "x", imageID: "", ready: false, restartCount: 0, state };
      const patched = await call(
        api,
        "PATCH",
        `${podsPath}/one/status`,
        { status: { containerStatuses: [status] } },
        { "content-type": "application/merge-patch+json" },
      );
      expect(patched.status).toBe(200);
      const { status: code, body } = await call(api, "GET", `${podsPath}/one/log?${query}`);
      expect([code, body.reason]).toEqual([400, "BadRequest"]);
      expect(body.message).toContain(message);
    },
  );

  it("follows until the client disconnects", async () => {
    let ended = false;
    const { server } = await start({
      async *log({ follow, signal }) {
        try {
          for (let at = 0; follow; at++) {
            yield `line ${at}`;
            if (at === 1) {
              await once(signal, "abort");
            }
          }
        } finally {
          ended = true;
        }
      },
    });
    const abort = new AbortController();
    const { signal } = abort;
    const response = await fetch(`${server}${podsPath}/one/log?follow=true`, { signal });
    let text = "";
    const reader = response.body?.getReader();
    while (!text.includes("line 1")) {
      text += Buffer.from((await reader?.read())?.value ?? []).toString();
    }
    expect(text).toBe("line 0\nline 1\n");
    abort.abort();
    await expect.poll(() => ended).toBe(true);
  });

  it.each([
    ["missing/log", 404, 'pods "missing" not found'],
    ["one/log?container=zz", 400, "container zz is not valid for pod one"],
    ["two/log", 400, "a container name must be specified for pod two, choose one of: [i a b]"],
    [
      "one/log?tailLines=-1",
      422,
      'PodLogOptions "one" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
    ],
    ["one/log?tailLines=abc", 400, 'strconv.ParseInt: parsing "abc": invalid syntax'],
    [
      "one/log?sinceSeconds=0",
      422,
      'PodLogOptions "one" is invalid: sinceSeconds: Invalid value: 0: must be greater than 0',
    ],
    [
      "one/log?sinceSeconds=5&sinceTime=2020-01-01T00:00:00Z",
      422,
      'PodLogOptions "one" is invalid: []: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
    ],
    [
      "one/log?limitBytes=0",
      422,
      'PodLogOptions "one" is invalid: limitBytes: Invalid value: 0: must be greater than 0',
    ],
    [
      "one/log?sinceTime=zz",
      400,
      'parsing time "zz" as "2006-01-02T15:04:05Z07:00": cannot parse "zz" as "2006"',
    ],
    [
      "one/log?stream=Stderr",
      422,
      'PodLogOptions "one" is invalid: stream: Forbidden: may not be specified',
    ],
  ])("rejects %s with %i as real servers do", async (path, status, message) => {
    const { api } = await start({ log: () => lines });
    const { status: is, body } = await call(api, "GET", `${podsPath}/${path}`);
    expect([is, body.message]).toEqual([status, message]);
  });
});

describe("port-forward", () => {
  it("§3.21: carries each port on two channels", async () => {
    const { server } = await start({
      async portForward({ port, data, write }) {
        if (port === 81) {
          throw new Error("connection refused");
        }
        for await (const chunk of data) {
          await write(`${port}: ${Buffer.from(chunk)}`);
          return;
        }
      },
    });
    const client = await open(server, "one/portforward?ports=80&ports=81", ["v4.channel.k8s.io"]);
    client.send(0, "hello");
    expect(await client.closed).toBe(1000);
    expect(Object.fromEntries(client.texts)).toEqual({
      0: "P\x0080: hello",
      1: "P\x00",
      2: "Q\x00",
      3: "Q\x00connection refused",
    });
  });
});
