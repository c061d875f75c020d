import { type AddressInfo, connect as connectSocket, createServer } from "node:net";
import { Pod } from "@typekube/api/core/v1";
import type { LogOptions, PodCalls } from "@typekube/client";
import { failure } from "@typekube/test-support/failure";
import { startNode, type TestNode } from "@typekube/test-support/real-server/node";
import { type RealServer, startRealServer } from "@typekube/test-support/real-server/real-server";
import { type Client, connect } from "typekube";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let server: RealServer | undefined;
let client: Client;
let node: TestNode | undefined;
let pod: PodCalls;

beforeAll(async () => {
  server = await startRealServer();
  if (server === undefined) {
    return;
  }
  client = await connect(server.connectOptions());
  node = await startNode(client);
  if (node !== undefined) {
    await node.createPod("web-0", ["main", "side"]);
    pod = client.resource(Pod, "default").named("web-0");
  }
}, 600_000);
afterAll(async () => {
  await client?.close();
  await node?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

/** A test that needs the stand-in for a node. */
function onNode(title: string, test: () => Promise<void>): void {
  it(title, async (context) => {
    if (node === undefined) {
      context.skip("no real API server, or no Go to build the stand-in for a node");
      return;
    }
    await test();
  });
}

describe("commands through a real API server, on a stand-in for a node", () => {
  onNode("XE1, XE3, XE5: output and exit code come from the process", async () => {
    const script = "echo out; echo err >&2; exit 3";
    expect(await pod.exec(["sh", "-c", script])).toEqual({
      exitCode: 3,
      stdout: "out\n",
      stderr: "err\n",
    });
    expect((await pod.exec(["true"])).exitCode).toBe(0);
    expect((await pod.exec(["sh", "-c", "kill -9 $$"])).exitCode).toBe(137);
    const missing = await failure(pod.exec(["no-such-program"]));
    expect(missing.message).toContain("executable file not found");
  });

  onNode("XE9: finite input ends, and the output after it still comes", async () => {
    const input = "line\n".repeat(100_000);
    const { stdout } = await pod.exec(["sh", "-c", "wc -c; echo done"], { stdin: input });
    expect(stdout.trim().split(/\s+/)).toEqual([String(input.length), "done"]);
  });

  onNode("XE14, XE15: a terminal has the size of the start, and later ones", async () => {
    await using session = await pod.exec(["sh"], {
      tty: true,
      stdin: true,
      size: { width: 101, height: 33 },
    });
    session.stdin?.write("stty size\n");
    let output = "";
    session.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    await expect.poll(() => output).toContain("33 101");
    await session.resize({ width: 77, height: 22 });
    await expect
      .poll(() => {
        session.stdin?.write("stty size\n");
        return output;
      })
      .toContain("22 77");
    session.stdin?.write("exit 5\n");
    expect(await session.result).toEqual({ exitCode: 5 });
  });

  onNode("XT15, XE7: 64 MiB come whole and before the exit code", async () => {
    const { exitCode, stdout } = await pod.exec(["head", "-c", "67108864", "/dev/zero"], {
      output: "bytes",
      maxOutputBytes: 68_000_000,
    });
    expect([exitCode, stdout.byteLength]).toEqual([0, 67_108_864]);
  });

  onNode("XE20: words arrive as they are", async () => {
    const words = ["a b", "", 'c"d', "e&f=g", "h+i%20j", "ä€😀", "\n"];
    const { stdout } = await pod.exec(["printf", "%s|", ...words]);
    expect(stdout).toBe(`${words.join("|")}|`);
  });

  onNode("XE21: 50 at once", async () => {
    const outputs = await Promise.all(
      Array.from({ length: 50 }, (_, at) => pod.exec(["echo", String(at)], { container: "main" })),
    );
    expect(outputs.map(({ stdout }) => stdout)).toEqual(outputs.map((_, at) => `${at}\n`));
  });

  onNode("XE18, XE19, XT2: refusals are the server's", async () => {
    const wrong = await failure(pod.exec(["ls"], { container: "nope" }));
    expect(wrong).toMatchObject({ code: "BadRequest" });
    expect(wrong.rawMessage).toContain("container nope is not valid for pod web-0");
    const pods = client.resource(Pod, "default");
    expect(await failure(pods.named("web-9").exec(["ls"]))).toMatchObject({ code: "NotFound" });
    await pods.create({
      metadata: { name: "pending" },
      spec: { containers: [{ name: "c", image: "x" }] },
    });
    const pending = await failure(pods.named("pending").exec(["ls"]));
    expect(pending.rawMessage).toContain("does not have a host assigned");
  });

  onNode("XT1: a user without rights gets a 403 that names both verbs", async () => {
    const error = await failure(
      pod.exec(["ls"], { container: "main", impersonate: { user: "eve" } }),
    );
    expect(error.code).toBe("Forbidden");
    expect(error.hint).toContain("get and create on pods/exec");
  });

  onNode("XT18: an abort ends the session", async () => {
    const abort = new AbortController();
    const session = await pod.exec(["sleep", "60"], { session: true, signal: abort.signal });
    const reason = new Error("enough");
    abort.abort(reason);
    await expect(session.result).rejects.toBe(reason);
  });
});

describe("attach through a real API server, on a stand-in for a node", () => {
  onNode("XA1, XA4: talks to the main process, whose stdin ends with ours", async () => {
    await node?.start("web-0", "side", {
      command: ["sh", "-c", "while read line; do echo got $line; done; echo over"],
      stdin: true,
    });
    await using session = await pod.attach({ container: "side", stdin: true });
    session.stdin?.end("one\ntwo\n");
    expect(await session.stdout.text()).toBe("got one\ngot two\nover\n");
  });
});

describe("forwarded ports through a real API server, on a stand-in for a node", () => {
  onNode("XP1, XP4, XP14: connections go through a tunnel, half-closed ones, too", async () => {
    const echo = createServer({ allowHalfOpen: true }, (socket) => {
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk;
      });
      socket.on("end", () => socket.end(`got ${text.length}`));
    });
    await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
    const { port } = echo.address() as AddressInfo;
    await using forward = await pod.portForward(port);
    const local = await forward.listen(0);
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all(
        [1, 50_000, 1_000_000].map(async (size) => {
          const socket =
            round % 2 === 0
              ? forward.socket()
              : connectSocket({ port: local.port, host: "127.0.0.1", allowHalfOpen: true });
          socket.end("x".repeat(size));
          let answer = "";
          for await (const chunk of socket) {
            answer += chunk;
          }
          return answer;
        }),
      );
      expect(answers).toEqual(["got 1", "got 50000", "got 1000000"]);
    }
    await new Promise((resolve) => echo.close(resolve));
  });

  onNode("XP5: a port on which nothing listens fails that connection only", async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    await using forward = await pod.portForward(port);
    for (let count = 0; count < 3; count++) {
      const error = await new Promise<Error>((resolve) => forward.socket().once("error", resolve));
      expect(error.message).toContain("connection refused");
    }
    expect(forward.state).toBe("open");
  });
});

describe("logs through a real API server, on a stand-in for a node", () => {
  onNode("XL1, XL2: lines, the last ones, with times, up to a size", async () => {
    await node?.start("web-0", "main", {
      command: ["sh", "-c", "for i in 1 2 3 4 5; do echo line $i; done; printf end"],
    });
    const read = async (options: LogOptions) => {
      const lines: string[] = [];
      for await (const line of pod.logs({ container: "main", ...options })) {
        lines.push(line);
      }
      return lines;
    };
    const all = ["line 1", "line 2", "line 3", "line 4", "line 5", "end"];
    await expect.poll(() => read({})).toEqual(all);
    expect(await read({ tailLines: 2 })).toEqual(all.slice(-2));
    expect(await read({ tailLines: 0 })).toEqual([]);
    expect(await read({ limitBytes: 9 })).toEqual(["line 1", "li"]);
    const [timed = ""] = await read({ timestamps: true });
    expect(timed).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z line 1$/);
    expect(await failure(read({ previous: true }))).toMatchObject({ code: "BadRequest" });
  });

  onNode("XL2, XL8: a follow yields lines as they come; leaving it ends the request", async () => {
    await node?.start("web-0", "main", {
      command: ["sh", "-c", "i=0; while true; do i=$((i+1)); echo tick $i; sleep 0.05; done"],
    });
    const seen: string[] = [];
    for await (const line of pod.logs({ container: "main", follow: true })) {
      seen.push(line);
      if (seen.length === 10) {
        break;
      }
    }
    expect(seen).toEqual(Array.from({ length: 10 }, (_, at) => `tick ${at + 1}`));
  });

  onNode("XL3: a container that does not run is the server's error", async () => {
    await node?.createPod("idle", ["main"]);
    const logs = client.resource(Pod, "default").named("idle").logs();
    const error = await failure(logs[Symbol.asyncIterator]().next());
    expect(error).toMatchObject({ code: "BadRequest" });
    expect(error.rawMessage).toContain("waiting to start");
  });
});
