import { once } from "node:events";
import { memoryContainers } from "@typekube/apiserver";
import { runPods } from "@typekube/apiserver/controllers";
import { type LogOptions, mergePatch, type PodCalls, type PodSession } from "@typekube/client";
import { describe, expect, it } from "vitest";
import { startedPod } from "./started-pod.js";

async function answer(pod: PodCalls, request: string, port = 8080): Promise<string> {
  await using forward = await pod.portForward(port);
  const socket = forward.socket();
  socket.end(request);
  let text = "";
  for await (const chunk of socket) {
    text += String(chunk);
  }
  return text;
}

async function linesOf(pod: PodCalls, options: LogOptions = {}): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of pod.logs(options)) {
    lines.push(line);
  }
  return lines;
}

/** Reads the first bytes of the output. The session itself ends later, since no status states an exit code. */
async function bytesOf({ stdout }: PodSession<number | undefined>, count: number): Promise<string> {
  let text = "";
  for await (const chunk of stdout) {
    text += String(chunk);
    if (text.length >= count) {
      break;
    }
  }
  return text;
}

describe("ports of a container in memory", () => {
  it("each port serves a page that names the pod and the port, over one connection", async () => {
    const { pod } = await startedPod();
    await using forward = await pod.portForward(8080);
    const { url } = await forward.listen(0);
    for (let round = 0; round < 3; round += 1) {
      const response = await fetch(url);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain("Port 8080 of the pod default/web.");
    }
    expect((await fetch(`${url}/other`)).status).toBe(404);
    expect((await fetch(url, { method: "POST", body: "x" })).status).toBe(405);
    const head = await fetch(url, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect((await linesOf(pod)).slice(2)).toEqual([
      "GET / 200",
      "GET / 200",
      "GET / 200",
      "GET /other 404",
      "POST / 405",
      "HEAD / 200",
    ]);
  });

  it.each(["ping", "PING\r\n", "\u0016\u0003\u0001", "GET\r\n\r\n"])(
    "a client that does not speak HTTP gets 400 and the end: %j",
    async (bytes) => {
      const { pod } = await startedPod();
      expect(await answer(pod, bytes)).toMatch(/^HTTP\/1\.1 400 Bad Request/);
    },
  );

  it("requests that come at once are answered in their order", async () => {
    const { pod } = await startedPod();
    const one = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const text = await answer(pod, one("/") + one("/a") + one("/"));
    expect(text.match(/^HTTP\/1\.1 (\d+)/gm)).toEqual([
      "HTTP/1.1 200",
      "HTTP/1.1 404",
      "HTTP/1.1 200",
    ]);
  });

  it("a request is in the log of the container that lists the port", async () => {
    const { pod, pods } = await startedPod();
    await pods.create({
      metadata: { name: "two" },
      spec: {
        containers: [
          { name: "a", image: "i" },
          { name: "b", image: "i", ports: [{ containerPort: 90 }] },
        ],
      },
    });
    await answer(pods.named("two"), "GET / HTTP/1.0\r\n\r\n", 90);
    expect(await linesOf(pods.named("two"), { container: "b" })).toContain("GET / 200");
    expect(await linesOf(pods.named("two"), { container: "a" })).not.toContain("GET / 200");
    expect(await linesOf(pod)).toHaveLength(2);
  });
});

describe("the log of a container in memory", () => {
  it("says what the container is, the same each time", async () => {
    const { pod } = await startedPod();
    const lines = [
      "container main of pod default/web: simulated in memory",
      "the image nginx does not run; cat /README describes the container",
    ];
    expect(await linesOf(pod)).toEqual(lines);
    expect(await linesOf(pod)).toEqual(lines);
  });

  it("is followed until the container ends", async () => {
    const { pod, pods } = await startedPod();
    const lines = pod.logs({ follow: true, tailLines: 1 });
    expect((await lines.next()).value).toContain("the image nginx");
    await answer(pod, "GET / HTTP/1.0\r\n\r\n");
    expect((await lines.next()).value).toBe("GET / 200");
    const state = { terminated: { exitCode: 0 } };
    const main = { name: "main", image: "i", imageID: "", ready: false, restartCount: 0, state };
    const status = { phase: "Failed", containerStatuses: [main] };
    await pods.status.patch("web", mergePatch({ status }) as never);
    expect((await lines.next()).done).toBe(true);
  });

  it("no two lines have the same time, although the clock stands still", async () => {
    const pods = memoryContainers({ now: () => 1_000 });
    const { pod } = await startedPod({ command: ["ls", "/bin"] }, { pods });
    const times = (await linesOf(pod, { timestamps: true })).map((line) => line.split(" ")[0]);
    expect(times[1]).toBe("1970-01-01T00:00:01.000000001Z");
    expect(new Set(times).size).toBe(times.length);
    expect(times.toSorted()).toEqual(times);
  });

  it("has a line above 16 KiB in parts, which readers get as one", async () => {
    const line = "ä".repeat(20_000);
    const { pod } = await startedPod({ command: ["echo", line, "\nb"] });
    expect(await linesOf(pod)).toEqual([`${line} `, "b"]);
    expect((await linesOf(pod, { tailLines: 2 }))[0]?.length).toBeLessThan(line.length);
  });

  it("drops its oldest lines above the limit", async () => {
    const pods = memoryContainers({ maxLogLines: 3 });
    const { pod } = await startedPod({ command: ["ls", "/bin"] }, { pods });
    expect(await linesOf(pod)).toEqual(["tar", "test", "wc"]);
  });
});

describe("the main process of a container in memory", () => {
  it("is the command of the container, if it has that program", async () => {
    const { pod } = await startedPod({ command: ["echo"], args: ["a\nb"] });
    expect(await linesOf(pod)).toEqual(["a", "b"]);
    await using session = await pod.attach({ logs: true });
    expect(await bytesOf(session, 4)).toBe("a\nb\n");
  });

  it("gets the input of the first session, and its output is in the log, too", async () => {
    const { pod } = await startedPod({ command: ["sort"], stdin: true });
    expect(await linesOf(pod)).toEqual([]);
    await using session = await pod.attach({ stdin: "b\na" });
    expect(await bytesOf(session, 4)).toBe("a\nb\n");
    expect(await linesOf(pod)).toEqual(["a", "b"]);
  });

  it("prints the requests of its ports to a session, if its command is another one", async () => {
    const { pod } = await startedPod({ command: ["nginx"] });
    await using session = await pod.attach();
    const chunks = session.stdout[Symbol.asyncIterator]();
    const first = chunks.next();
    await answer(pod, "GET / HTTP/1.0\r\n\r\n");
    expect(String((await first).value)).toBe("GET / 200\n");
  });
});

it("a pod that runs and is deleted ends the sessions and connections into it", async () => {
  const { api, pod, pods } = await startedPod(
    {},
    { pods: memoryContainers(), stages: runPods({ readyAfterMs: 0 }) },
  );
  await api.settled();
  await using session = await pod.exec(["cat"], { stdin: true });
  await using forward = await pod.portForward(80);
  const socket = forward.socket();
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(socket, "data");
  await pods.delete("web");
  expect(await session.result).toEqual({ exitCode: 137 });
  await once(socket, "end");
});
