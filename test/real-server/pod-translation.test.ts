import { startNode, type TestNode } from "@typekube/test-support/real-server/node";
import { type RealServer, startRealServer } from "@typekube/test-support/real-server/real-server";
import { bearerToken, createTransport, type Transport } from "@typekube/transport";
import { openWebSocket } from "@typekube/transport/internal";
import { type Client, connect } from "typekube";
import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";

/** Path of a session behind the API server: it translates, or passes WebSockets on to a node that declares them. */
const paths = {
  "translated by the API server": { name: "node-1", declaredFeatures: [], upgrade: "SPDY/3.1" },
  "translated by the node": {
    name: "node-2",
    declaredFeatures: ["ExtendWebSocketsToKubelet"],
    upgrade: "websocket",
  },
};
type PathName = keyof typeof paths;

const protocols = ["v5.channel.k8s.io", "v4.channel.k8s.io"];
/** Channel of a message: its first byte. */
const channel = { stdin: 0, status: 3, resize: 4, close: 255 };

let server: RealServer | undefined;
let client: Client;
let transport: Transport;
const nodes = new Map<PathName, TestNode>();

beforeAll(async () => {
  server = await startRealServer();
  if (server === undefined) {
    return;
  }
  client = await connect(server.connectOptions());
  const { server: url, token, ca } = server.connectOptions();
  transport = createTransport({ server: url, tls: { ca }, auth: bearerToken(token) });
  for (const [path, options] of Object.entries(paths)) {
    const node = await startNode(client, options);
    if (node !== undefined) {
      nodes.set(path as PathName, node);
      await node.createPod(`pod-on-${node.name}`, ["main"]);
    }
  }
}, 600_000);
afterAll(async () => {
  await client?.close();
  await transport?.close();
  for (const node of nodes.values()) {
    await node[Symbol.asyncDispose]();
  }
  await server?.[Symbol.asyncDispose]();
});

/** A message to send: its channel and bytes. */
type Message = readonly [channel: number, bytes: Uint8Array | string];

/** Records what a server sends: the protocol, the bytes of each channel in their order, and the code of its close frame. */
async function record(path: PathName, call: string, messages: readonly Message[]) {
  const node = nodes.get(path);
  const connection = await openWebSocket(transport.send, {
    path: `/api/v1/namespaces/default/pods/pod-on-${node?.name}/${call}`,
    headers: {},
    protocols,
  });
  for (const [number, bytes] of messages) {
    await connection.send(Buffer.from(bytes as Uint8Array), { channel: number });
  }
  const channels: Record<number, string> = {};
  for (let message = await connection.next(); message; message = await connection.next()) {
    const [number = -1] = message.bytes;
    channels[number] = (channels[number] ?? "") + message.bytes.toString("latin1", 1);
  }
  const { code } = await connection.ended;
  connection.close();
  expect((await node?.upgrades())?.at(-1)).toBe(paths[path].upgrade);
  return { protocol: connection.protocol, channels, code };
}

/** Query of a session. */
function query(command: readonly string[], ...flags: string[]): string {
  return String(
    new URLSearchParams([
      ...command.map((word): [string, string] => ["command", word]),
      ...flags.map((flag): [string, string] => [flag, "true"]),
    ]),
  );
}

const outputs = ["stdout", "stderr"];
const endOfInput: Message = [channel.close, Uint8Array.of(channel.stdin)];
const inputs = Array.from({ length: 7 }, (_, at) => `${at}`.repeat(30_000));

const sessions: readonly (readonly [string, string, readonly Message[]])[] = [
  ["a command that succeeds", `exec?${query(["echo", "ä"], ...outputs)}`, []],
  [
    "both outputs and an exit code",
    `exec?${query(["sh", "-c", "echo out; echo err >&2; exit 3"], ...outputs)}`,
    [],
  ],
  ["a command that is killed", `exec?${query(["sh", "-c", "kill -9 $$"], ...outputs)}`, []],
  [
    "input with an end, and output after it",
    `exec?${query(["sh", "-c", "cat; echo end"], "stdin", ...outputs)}`,
    [...inputs.map((part): Message => [channel.stdin, part]), endOfInput],
  ],
  ["megabytes of output", `exec?${query(["head", "-c", "3000000", "/dev/zero"], ...outputs)}`, []],
  [
    "a terminal with a size",
    `exec?${query(["sh", "-c", "read x; stty size; echo $x"], "stdin", "stdout", "tty")}`,
    [
      [channel.resize, '{"Width":101,"Height":33}'],
      [channel.stdin, "line\n"],
    ],
  ],
  ["only stderr", `exec?${query(["sh", "-c", "echo out; echo err >&2"], "stderr")}`, []],
  ["a program that is missing", `exec?${query(["no-such-program"], ...outputs)}`, []],
  [
    "words as they are",
    `exec?${query(["printf", "%s|", "a b", "", 'c"d', "ä€😀", "\n"], ...outputs)}`,
    [],
  ],
];

/** Skips a test where there is no real API server, or no Go to build the stand-ins for nodes. */
function needNodes(context: TestContext): void {
  context.skip(nodes.size < 2, "no real API server, or no Go to build the stand-ins for nodes");
}

describe("XT8: a session on a stand-in for a node is the same on both ways behind a real API server", () => {
  it.for(sessions)("%s", async ([, call, messages], context) => {
    needNodes(context);
    const translated = await record("translated by the API server", call, messages);
    const direct = await record("translated by the node", call, messages);
    expect(direct).toEqual(translated);
    expect(translated.channels[channel.status]).toContain('"status":');
  });

  it("the main process of a container", async (context) => {
    needNodes(context);
    const recorded = [];
    for (const [path, node] of nodes) {
      await node.start(`pod-on-${node.name}`, "main", {
        command: ["sh", "-c", "while read line; do echo got $line; done; echo over >&2"],
        stdin: true,
      });
      const messages: Message[] = [[channel.stdin, "one\ntwo\n"], endOfInput];
      recorded.push(await record(path, `attach?${query([], "stdin", ...outputs)}`, messages));
    }
    expect(recorded[1]).toEqual(recorded[0]);
    expect(recorded[0]?.channels[1]).toBe("got one\ngot two\n");
  });
});
