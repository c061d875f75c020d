import { channel } from "node:diagnostics_channel";
import { once } from "node:events";
import { Pod } from "@typekube/api/core/v1";
import type { PodLogRequest } from "@typekube/apiserver";
import { type LogForms, type LogOptions, mergePatch, type PodCalls } from "@typekube/client";
import { failure } from "@typekube/test-support/failure";
import { onRequest, rawServer } from "@typekube/test-support/servers";
import { connect } from "typekube";
import { describe, expect, it } from "vitest";
import { all } from "../helpers/all.js";
import { logServer, running, state } from "../helpers/log-server.js";
import { twoContainerPod } from "../helpers/two-container-pod.js";

type LogHandler = (request: PodLogRequest) => AsyncIterable<string> | Iterable<string>;

/** Starts a server whose pod has the log of this handler. */
function start(log: LogHandler, path?: "in process" | "sockets") {
  return twoContainerPod({ pods: { log } }, path);
}

/** A pod whose log has these chunks. */
function podWith(...chunks: (string | Uint8Array)[]): PodCalls {
  return logServer([chunks]).pod;
}

describe.each(["sockets", "in process"] as const)("a log, %s", (path) => {
  it("XL1, XL2: yields the lines of the default container", async () => {
    const { api, pod } = await start(({ container }) => [`of ${container}`, "", "last"], path);
    expect(await all(pod.logs())).toEqual(["of main", "", "last"]);
    expect(await all(pod.logs({ container: "side" }))).toEqual(["of side", "", "last"]);
    expect(api.requests.filter(({ subresource }) => subresource === "log")).toHaveLength(2);
  });

  it("XL2, XL8: follows until the reader stops; then the server sees the end", async () => {
    let ended = 0;
    const { pod } = await start(async function* ({ signal }) {
      try {
        yield "one";
        await once(signal, "abort");
      } finally {
        ended += 1;
      }
    }, path);
    for await (const line of pod.logs({ follow: true })) {
      expect(line).toBe("one");
      break;
    }
    await expect.poll(() => ended).toBe(1);
  });

  it("XL3, XL15: errors are typed and have the server's message", async () => {
    const { pods, pod } = await start(() => ["x"], path);
    await pods.status.patch(
      "web-0",
      mergePatch({ status: state(0, { waiting: { reason: "ImagePullBackOff" } }) }) as never,
    );
    expect(await failure(pod.logs().next())).toMatchObject({
      code: "BadRequest",
      rawMessage:
        'container "main" in pod "web-0" is waiting to start: trying and failing to pull image',
    });
    expect(await failure(pod.logs({ previous: true }).next())).toMatchObject({
      code: "BadRequest",
      rawMessage: 'previous terminated container "main" in pod "web-0" not found',
    });
    expect(await failure(pod.logs({ container: "nope" }).next())).toMatchObject({
      code: "BadRequest",
      rawMessage: "container nope is not valid for pod web-0",
    });
    expect(await failure(pods.named("nope").logs().next())).toMatchObject({ code: "NotFound" });
  });
});

describe("options of a log", () => {
  it("XL1: are sent with the API's names; tailLines 0 too", async () => {
    const server = logServer([[""], [""]]);
    const options: LogOptions = {
      container: "side",
      follow: true,
      previous: true,
      timestamps: true,
      sinceSeconds: 60,
      tailLines: 0,
      limitBytes: 100,
      insecureSkipTLSVerifyBackend: true,
      stream: "All",
    };
    await all(server.pod.logs(options));
    await all(server.pod.logs({ container: "main", sinceTime: "2026-01-01T00:00:00.5Z" }));
    expect(server.queries).toEqual([
      {
        container: "side",
        follow: "true",
        previous: "true",
        timestamps: "true",
        sinceSeconds: "60",
        tailLines: "0",
        limitBytes: "100",
        insecureSkipTLSVerifyBackend: "true",
        stream: "All",
      },
      { container: "main", sinceTime: "2026-01-01T00:00:00.5Z" },
    ]);
    expect(server.reads).toBe(0);
  });

  it.each<[LogForms & LogOptions, string]>([
    [{ tailLines: -1 }, "tailLines: must be an integer of at least 0"],
    [{ tailLines: 1.5 }, "tailLines"],
    [{ limitBytes: 0 }, "limitBytes: must be an integer of at least 1"],
    [{ sinceSeconds: 0 }, "sinceSeconds: must be an integer of at least 1"],
    [{ sinceTime: "yesterday" }, "sinceTime: must be a time in RFC 3339"],
    [{ since: "5 minutes" }, "since: must be a Date or a duration"],
    [{ since: "0s" }, "since"],
    [{ since: new Date(Number.NaN) }, "since"],
    [{ sinceSeconds: 5, sinceTime: "2026-01-01T00:00:00Z" }, "at most one of since"],
    [{ since: "5m", sinceSeconds: 5 }, "at most one of since"],
    [{ stream: "Stderr", tailLines: 5 }, "stream: a single stream and tailLines"],
    [{ stream: "stderr" as "Stderr" }, "stream: must be All, Stderr or Stdout"],
    [{ until: new Date(), follow: true }, "until: not with follow"],
    [{ raw: true, json: true }, "at most one of events, json and raw"],
    [{ tail: 5 } as LogOptions, 'logs() has no option "tail"'],
  ])("XL1: refuses %j before anything is sent", async (options, message) => {
    const server = logServer([]);
    const error = await failure(server.pod.logs(options).next());
    expect(error.code).toBe("InvalidArgument");
    expect(error.rawMessage).toContain(message);
    expect([server.queries.length, server.reads]).toEqual([0, 0]);
  });

  it.each([
    ["90s", "90"],
    ["5m", "300"],
    ["1h30m", "5400"],
    ["0.5s", "1"],
  ])("XL11: since %s is %s seconds by the node's clock", async (since, sinceSeconds) => {
    const server = logServer([[""]]);
    await all(server.pod.logs({ since }));
    expect(server.queries[0]).toEqual({ container: "main", sinceSeconds });
  });

  it("XL11: since a Date, until a Date, grep", async () => {
    const minute = (at: number, text: string) => `2026-01-01T00:0${at}:00.000000001Z ${text}\n`;
    const server = logServer([[minute(1, "a"), minute(2, "b"), minute(2, "c"), minute(3, "d")]]);
    const lines = server.pod.logs({
      since: new Date("2026-01-01T00:01:00Z"),
      until: new Date("2026-01-01T00:03:00Z"),
      grep: (line) => line !== "b",
    });
    expect(await all(lines)).toEqual(["a", "c"]);
    expect(server.queries[0]).toEqual({
      container: "main",
      timestamps: "true",
      sinceTime: "2026-01-01T00:01:00.000Z",
    });
    expect(server.open).toBe(0);
  });

  it("XL11: JSON lines; one that is not JSON is its text", async () => {
    const pod = podWith('{"level":"info"}\nplain text\n[1]\n');
    expect(await all(pod.logs({ json: true }))).toEqual([{ level: "info" }, "plain text", [1]]);
  });

  it("XL12: timestamps stay as the node wrote them", async () => {
    const line = "2026-01-01T00:00:00.123456789+05:30 text";
    expect(await all(podWith(`${line}\n`).logs({ timestamps: true }))).toEqual([line]);
    expect(await all(podWith(`${line}\n`).logs({ timestamps: true, follow: true }))).toEqual([
      line,
    ]);
    const events = await all(podWith(`${line}\n`).logs({ events: true }));
    expect(events).toEqual([
      { type: "line", time: line.split(" ")[0], text: "text", isPart: false },
    ]);
  });

  it("XL1: limitBytes of a follow counts what the reader gets, not the times that resuming needs", async () => {
    const pod = podWith("2026-01-01T00:00:00.1Z abcdef\n2026-01-01T00:00:00.2Z ghi\n");
    expect(await all(pod.logs({ follow: true, limitBytes: 9 }))).toEqual(["abcdef", "gh"]);
  });
});

describe("lines of a log", () => {
  it("XL2: only 0x0A ends a line; \\r and U+2028 stay, and the last line needs no end", async () => {
    expect(await all(podWith("a\r\nb\u2028c\rd\n\ne").logs())).toEqual([
      "a\r",
      "b\u2028c\rd",
      "",
      "e",
    ]);
    expect(await all(podWith("").logs())).toEqual([]);
    expect(await all(podWith("\n").logs())).toEqual([""]);
  });

  it("XL2: characters that are split over chunks are whole; bytes that are not UTF-8 become U+FFFD", async () => {
    const bytes = Buffer.from("\ufeffgrün 🎉\nnext\n");
    const single = [...bytes].map((byte) => Uint8Array.of(byte));
    expect(await all(podWith(...single).logs())).toEqual(["\ufeffgrün 🎉", "next"]);
    const invalid = Uint8Array.of(0x61, 0xff, 0x62, 0x0a);
    expect(await all(podWith(invalid).logs())).toEqual(["a\ufffdb"]);
    expect(await all(podWith(invalid).logs({ raw: true }))).toEqual([
      Buffer.from([0x61, 0xff, 0x62]),
    ]);
  });

  it("XL2: a line over 1 MiB comes in marked parts, none of which breaks a character", async () => {
    const line = "€".repeat(1_000_000);
    const chunks = [];
    const bytes = Buffer.from(`${line}\nafter`);
    for (let at = 0; at < bytes.byteLength; at += 60_000) {
      chunks.push(bytes.subarray(at, at + 60_000));
    }
    for (const pieces of [chunks, [bytes]]) {
      const parts = await all(podWith(...pieces).logs());
      expect(parts).toHaveLength(4);
      expect(parts.slice(0, 3).join("")).toBe(line);
      expect(Buffer.byteLength(parts[0] ?? "")).toBe(1024 * 1024 - 1);
    }
    const events = await all(podWith(...chunks).logs({ events: true }));
    expect(events.map((event) => event.type === "line" && event.isPart)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it("XL2: a line of exactly 1 MiB is whole, also with its time", async () => {
    const line = "x".repeat(1024 * 1024);
    expect(await all(podWith(`${line}\n`).logs())).toEqual([line]);
    expect(await all(podWith(`2026-01-01T00:00:00.1Z ${line}\n`).logs({ follow: true }))).toEqual([
      line,
    ]);
  });

  it("XL2: several next() at once get the lines in order", async () => {
    const lines = podWith("a\nb\n", "c\n").logs();
    const results = await Promise.all([lines.next(), lines.next(), lines.next(), lines.next()]);
    expect(results.map(({ value }) => value)).toEqual(["a", "b", "c", undefined]);
  });
});

describe("the connection of a log", () => {
  const head = "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n";
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

  it.each([
    ["a reset", "transfer-encoding: chunked\r\n\r\n", "ConnectionReset"],
    ["malformed gzip", "transfer-encoding: chunked\r\ncontent-encoding: gzip\r\n\r\n", "Decode"],
  ])("XL10: %s is thrown from the loop", async (_, rest, code) => {
    await using server = await rawServer((socket) => {
      socket.once("data", () => {
        socket.write(`${head}${rest}${chunk("this is not gzip\n")}`, () => {
          if (code === "ConnectionReset") {
            setImmediate(() => socket.resetAndDestroy());
          }
        });
      });
    });
    await using client = await connect({ server: server.url });
    const lines = client.resource(Pod, "default").named("p").logs({ container: "c" });
    const error = await failure(all(lines));
    expect(["ConnectionReset", "ConnectionClosed", "Decode"]).toContain(error.code);
    expect(error.code === "Decode").toBe(code === "Decode");
  });

  it("XL4: a followed log over a socket that closes early goes on with the next line", async () => {
    const time = (nanos: number) => `2026-01-01T00:00:00.00000000${nanos}Z`;
    const paths: string[] = [];
    await using server = await rawServer((socket) => {
      onRequest(socket, (request) => {
        const path = request.split(" ")[1] ?? "";
        paths.push(path);
        if (!path.includes("/log")) {
          socket.end(
            "HTTP/1.1 403 Forbidden\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}",
          );
          return;
        }
        const first = `${time(1)} a\n`;
        const begin = `${head}transfer-encoding: chunked\r\n\r\n${chunk(first)}`;
        if (path.includes("sinceTime")) {
          socket.end(`${begin}${chunk(`${time(2)} b\n`)}0\r\n\r\n`);
        } else {
          // Without the last chunk.
          socket.end(begin);
        }
      });
    });
    await using client = await connect({ server: server.url });
    const pod = client.resource(Pod, "default").named("p");
    expect(await all(pod.logs({ follow: true, container: "c" }))).toEqual(["a", "b"]);
    expect(paths.findLast((path) => path.includes("/log"))).toBe(
      "/api/v1/namespaces/default/pods/p/log?container=c&follow=true&timestamps=true&sinceTime=2026-01-01T00%3A00%3A00Z",
    );
  });

  it("XL9: has no deadline of its own, unlike its start", async () => {
    const server = logServer([["a\n", "wait"]], [state(0, running)]);
    const lines = server.pod.logs({ follow: true, timeoutMs: 1_000 });
    expect((await lines.next()).value).toBe("a");
    const next = lines.next();
    server.clock.advance(24 * 3_600_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(server.open).toBe(1);
    await lines.return?.();
    expect((await next).done).toBe(true);
  });

  it("XT22: publishes its start and its end with the bytes, without the lines", async () => {
    const events: unknown[] = [];
    const subscribe = (event: unknown) => events.push(event);
    channel("typekube:stream.open").subscribe(subscribe);
    channel("typekube:stream.close").subscribe(subscribe);
    await all(podWith("secret\n").logs());
    channel("typekube:stream.open").unsubscribe(subscribe);
    channel("typekube:stream.close").unsubscribe(subscribe);
    const stream = { kind: "log", namespace: "prod", pod: "web-0", container: "main" };
    expect(events).toEqual([
      { stream },
      { stream, bytes: { stdout: 7 }, durationMs: expect.any(Number) },
    ]);
  });
});
