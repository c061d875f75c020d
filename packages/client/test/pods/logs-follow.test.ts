import { KubeError } from "@typekube/core";
import { failure } from "@typekube/test-support/failure";
import { statusResponse } from "@typekube/test-support/scripted-server";
import { describe, expect, it, vi } from "vitest";
import { logServer, readAll, running, state, terminated } from "../helpers/log-server.js";

const reset = () => new KubeError("ConnectionReset", "read ECONNRESET");
const at = (second: number, nanos: number, zone = "Z") =>
  `2026-01-01T00:00:0${second}.${String(nanos).padStart(9, "0")}${zone}`;
const since = (second: number) => `2026-01-01T00:00:0${second}Z`;
const ended = state(0, terminated(0, "Completed"));

describe("a follow that is cut off", () => {
  it("XL4, XL12: resumes at the last second and yields each line once, also those of the same nanosecond", async () => {
    const server = logServer(
      [
        [`${at(1, 5)} a\n${at(2, 1)} b\n${at(2, 7)} c\n`, reset()],
        // The server knows whole seconds only, so the lines of the last one come again.
        [`${at(2, 1)} b\n${at(2, 7)} c\n${at(2, 7)} c\n${at(2, 8)} d\n${at(3, 0)} e\n`],
      ],
      [state(0, running), state(0, running), ended],
    );
    expect(await readAll(server, server.pod.logs({ follow: true, tailLines: 10 }))).toEqual([
      "a",
      "b",
      "c",
      "c",
      "d",
      "e",
    ]);
    expect(server.queries).toEqual([
      { container: "main", follow: "true", timestamps: "true", tailLines: "10" },
      { container: "main", follow: "true", timestamps: "true", sinceTime: since(2) },
    ]);
  });

  it("XL4: lines that two outputs wrote out of order are neither lost nor repeated", async () => {
    const server = logServer(
      [
        [`${at(2, 9)} b\n`, reset()],
        [`${at(2, 9)} b\n${at(2, 3)} a\n${at(3, 1)} c\n`, reset()],
        [`${at(3, 1)} c\n${at(2, 999_999_999)} late\n`],
      ],
      [state(0, running), state(0, running), state(0, running), ended],
    );
    expect(await readAll(server, server.pod.logs({ follow: true }))).toEqual(["b", "a", "c"]);
  });

  it("XL4: a line that was cut off comes again whole, and once", async () => {
    const server = logServer(
      [
        [`${at(1, 1)} first\n${at(1, 2)} hal`, reset()],
        [`${at(1, 1)} first\n${at(1, 2)} half a line\n`],
      ],
      [state(0, running), state(0, running), ended],
    );
    expect(await readAll(server, server.pod.logs({ follow: true }))).toEqual([
      "first",
      "half a line",
    ]);
  });

  it("XL2, XL4: a long line that was yielded in part goes on where it was cut off", async () => {
    const long = `${"x".repeat(1024 * 1024)}${"y".repeat(1000)}`;
    const server = logServer(
      [
        [`${at(1, 1)} a\n`, `${at(1, 2)} ${long}`, reset()],
        [`${at(1, 1)} a\n${at(1, 2)} ${long}end\n${at(1, 3)} b\n`],
      ],
      [state(0, running), state(0, running), ended],
    );
    const events = await readAll(server, server.pod.logs({ follow: true, events: true }));
    expect(
      events.map((event) =>
        event.type === "line" ? [event.text.length, event.isPart, event.time !== ""] : event,
      ),
    ).toEqual([
      [1, false, true],
      [1024 * 1024, true, true],
      [1003, false, false],
      [1, false, true],
    ]);
  });

  it("XL4: a log that was rotated meanwhile has a gap", async () => {
    const cut = [`${at(1, 1)} a\n`, reset()];
    const rotated = [`${at(7, 0)} z\n`];
    const states = [state(0, running), state(0, running), ended];
    const server = logServer([cut, rotated], states);
    expect(await readAll(server, server.pod.logs({ follow: true, events: true }))).toEqual([
      { type: "line", time: at(1, 1), text: "a", isPart: false },
      { type: "gap", after: at(1, 1), reason: expect.stringContaining("read ECONNRESET") },
      { type: "line", time: at(7, 0), text: "z", isPart: false },
    ]);
    const warnings: string[] = [];
    const again = logServer([cut, rotated], states);
    const onWarning = (text: string) => warnings.push(text);
    expect(await readAll(again, again.pod.logs({ follow: true, onWarning }))).toEqual(["a", "z"]);
    expect(warnings).toEqual([
      expect.stringContaining(`lines of the log may be missing after ${at(1, 1)}`),
    ]);
  });

  it("XL4: a log that was rotated within the last second loses nothing of what the new file has", async () => {
    const server = logServer(
      [
        [`${at(1, 1)} a\n${at(1, 2)} b\n${at(1, 3)} c\n`, reset()],
        [`${at(1, 3)} c\n${at(1, 4)} d\n`],
      ],
      [state(0, running), state(0, running), ended],
    );
    const events = await readAll(server, server.pod.logs({ follow: true, events: true }));
    expect(events.map((event) => (event.type === "line" ? event.text : event.type))).toEqual([
      "a",
      "b",
      "c",
      "d",
    ]);
  });

  it("XL13: a node whose clock is years behind, with an offset, resumes at its own time", async () => {
    const zone = "+05:30";
    const server = logServer(
      [[`${at(1, 1, zone)} a\n`, reset()], [`${at(1, 1, zone)} a\n${at(1, 2, zone)} b\n`]],
      [state(0, running), state(0, running), ended],
    );
    expect(await readAll(server, server.pod.logs({ follow: true }))).toEqual(["a", "b"]);
    expect(server.queries[1]).toMatchObject({ sinceTime: `2026-01-01T00:00:01${zone}` });
  });

  it("XL4: a clock that was set back resumes at the new time, so that no line is lost", async () => {
    const server = logServer(
      [
        ["2026-01-01T10:00:00.5Z a\n2026-01-01T09:00:00.5Z b\n", reset()],
        ["2026-01-01T10:00:00.5Z a\n2026-01-01T09:00:00.5Z b\n2026-01-01T09:00:01Z c\n"],
      ],
      [state(0, running), state(0, running), ended],
    );
    const lines = await readAll(server, server.pod.logs({ follow: true }));
    expect(server.queries[1]).toMatchObject({ sinceTime: "2026-01-01T09:00:00Z" });
    expect(lines.at(-1)).toBe("c");
  });

  it("XL4: a response that ends while the container runs was cut off, too", async () => {
    const server = logServer(
      [[`${at(1, 1)} a\n`], [`${at(1, 1)} a\n${at(2, 1)} b\n`]],
      [state(0, running), state(0, running), state(0, running), ended],
    );
    expect(await readAll(server, server.pod.logs({ follow: true }))).toEqual(["a", "b"]);
  });

  it("XL4: goes on trying with growing delays, also when the pod cannot be read or the node does not respond", async () => {
    const unreachable = statusResponse(500, "InternalError", { message: "dial tcp: refused" });
    const server = logServer(
      [[`${at(1, 1)} a\n`, reset()], unreachable, reset(), [`${at(1, 1)} a\n${at(1, 2)} b\n`]],
      [state(0, running), reset(), state(0, running), state(0, running), state(0, running), ended],
    );
    const before = server.clock.now();
    expect(await readAll(server, server.pod.logs({ follow: true }))).toEqual(["a", "b"]);
    expect(server.clock.now() - before).toBeGreaterThan(250);
  });

  it("XL4: without permission to read the pod, a cut is resumed, and the end of the log is the end", async () => {
    const server = logServer(
      [[`${at(1, 1)} a\n`, reset()], [`${at(1, 1)} a\n${at(1, 2)} b\n`]],
      ["forbidden"],
    );
    expect(await readAll(server, server.pod.logs({ follow: true }))).toEqual(["a", "b"]);
    expect(server.queries[0]).toEqual({ follow: "true", timestamps: "true" });
  });

  it.each([
    ["new lines only", { tailLines: 0 }],
    ["lines of the last second only", { sinceSeconds: 1 }],
    ["lines of the last seconds only", { since: "2s" }],
  ])("XL4: %s, cut off before the first one, may be missing some", async (_what, options) => {
    const server = logServer(
      [[reset()], [`${at(1, 1)} a\n`]],
      [state(0, running), state(0, running), ended],
    );
    const events = await readAll(
      server,
      server.pod.logs({ follow: true, events: true, ...options }),
    );
    expect(events.map(({ type }) => type)).toEqual(["gap", "line"]);
    expect(server.queries[1]).toEqual(server.queries[0]);
  });

  it("XL4: a server that writes no times is asked for new lines only, and the gap is reported", async () => {
    const server = logServer(
      [["a\nb\n", reset()], ["c\n", reset()], ["d\n"]],
      [state(0, running), state(0, running), state(0, running), ended],
    );
    const events = await readAll(server, server.pod.logs({ follow: true, events: true }));
    const seen = events.map((event) => (event.type === "line" ? event.text : event.type));
    expect(seen).toEqual(["a", "b", "gap", "c", "gap", "d"]);
    expect(server.queries.slice(1)).toEqual([
      { container: "main", follow: "true", timestamps: "true", tailLines: "0" },
      { container: "main", follow: "true", timestamps: "true", tailLines: "0" },
    ]);
  });

  it.each([
    ["at once", [], ["gone"]],
    ["when it resumes", [statusResponse(404, "NotFound")], [state(0, running), "gone"]],
  ] as const)(
    "XL4: a pod that is gone after a cut, %s, ends the log with a gap",
    async (_, logs, states) => {
      const server = logServer(
        [[`${at(1, 1)} a\n`, reset()], ...logs],
        [state(0, running), ...states],
      );
      const events = await readAll(server, server.pod.logs({ follow: true, events: true }));
      expect(events.map(({ type }) => type)).toEqual(["line", "gap"]);
    },
  );
});

describe("the signal of a log", () => {
  it("XL10: has no listener before the first next(), and none after the end", async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    const server = logServer([["a\n"]]);
    const lines = server.pod.logs({ signal });
    expect(added).not.toHaveBeenCalled();
    expect(await readAll(server, lines)).toEqual(["a"]);
    expect(added.mock.calls.length).toBeGreaterThan(0);
    expect(removed.mock.calls.length).toBe(added.mock.calls.length);
  });
});

describe("the end of a container", () => {
  it("XL5: ends the log, without another request", async () => {
    const server = logServer([[`${at(1, 1)} a\n${at(1, 2)} b`]], [state(0, running), ended]);
    expect(await readAll(server, server.pod.logs({ follow: true }))).toEqual(["a", "b"]);
    expect(server.queries).toHaveLength(1);
  });

  it("XL5: a status that lags behind is waited for", async () => {
    const states = [state(0, running), state(0, running), ended];
    const server = logServer([[`${at(1, 1)} a\n`]], states);
    expect(await readAll(server, server.pod.logs({ follow: true }))).toEqual(["a"]);
    expect(server.queries).toHaveLength(1);
  });

  it("XL5: a pod without a status of its container ends with its log", async () => {
    const server = logServer([[`${at(1, 1)} a\n`]]);
    expect(await readAll(server, server.pod.logs({ follow: true }))).toEqual(["a"]);
    expect(server.queries).toHaveLength(1);
  });

  it("XL6: by default the log ends with the instance; the rest of it is read from the previous one", async () => {
    const server = logServer(
      [[`${at(1, 1)} a\n`, reset()], [`${at(1, 1)} a\n${at(1, 2)} last words\n`]],
      [state(0, running), state(1, running, terminated(1))],
    );
    expect(await readAll(server, server.pod.logs({ follow: true }))).toEqual(["a", "last words"]);
    expect(server.queries[1]).toEqual({
      container: "main",
      previous: "true",
      timestamps: "true",
      sinceTime: since(1),
    });
  });

  it("XL6: goes on with the next instance and marks the restart with the exit code", async () => {
    const previous = [`${at(1, 1)} a\n`];
    const server = logServer(
      [[`${at(1, 1)} a\n`], previous, [`${at(5, 1)} b\n`]],
      [
        state(0, running),
        state(0, terminated(137, "OOMKilled")),
        state(0, { waiting: { reason: "CrashLoopBackOff" } }, terminated(137, "OOMKilled")),
        state(1, running, terminated(137, "OOMKilled")),
        { ...state(1, terminated(0)), phase: "Succeeded" },
      ],
    );
    const lines = server.pod.logs({ follow: true, restarts: "follow", events: true });
    expect(await readAll(server, lines)).toEqual([
      { type: "line", time: at(1, 1), text: "a", isPart: false },
      { type: "restart", restartCount: 1, exitCode: 137, reason: "OOMKilled" },
      { type: "line", time: at(5, 1), text: "b", isPart: false },
    ]);
    expect(server.queries[2]).toEqual({ container: "main", follow: "true", timestamps: "true" });
  });

  it("XL6: instances that ran and ended between two connections are read, and a missing one is a gap", async () => {
    const server = logServer(
      [[`${at(1, 1)} a\n`, reset()], [`${at(5, 1)} c\n`], [`${at(7, 1)} d\n`]],
      [
        state(0, running),
        state(3, running, terminated(2)),
        { ...state(3, terminated(0)), phase: "Failed" },
      ],
    );
    const lines = server.pod.logs({ follow: true, restarts: "follow", events: true });
    const events = await readAll(server, lines);
    expect(events.map((event) => (event.type === "line" ? event.text : event))).toEqual([
      "a",
      expect.objectContaining({ type: "gap" }),
      { type: "restart", restartCount: 2 },
      expect.objectContaining({ type: "gap" }),
      "c",
      { type: "restart", restartCount: 3, exitCode: 2, reason: "Error" },
      "d",
    ]);
    expect(server.queries.map(({ previous }) => previous)).toEqual([undefined, "true", undefined]);
  });

  it.each([
    ["Never", 1, 0],
    ["OnFailure", 0, 0],
    ["OnFailure", 1, 1],
    ["Always", 0, 1],
  ])("XL6: restartPolicy %s, exit code %i: %i further instances", async (policy, code, more) => {
    const server = logServer(
      [["a\n"], ["a\n"], ["b\n"]],
      [state(0, running), state(0, terminated(code)), state(1, running), "gone"],
      { spec: { restartPolicy: policy } },
    );
    const lines = server.pod.logs({ follow: true, restarts: "follow", events: true });
    const events = await readAll(server, lines);
    expect(events.filter(({ type }) => type === "restart")).toHaveLength(more);
  });
});

describe("a follow that ends", () => {
  it("XL10: throws the reason of the signal, whatever it waits for", async () => {
    const abort = new AbortController();
    const server = logServer([[`${at(1, 1)} a\n`, "wait"]], [state(0, running)]);
    const lines = server.pod.logs({ follow: true, signal: abort.signal });
    expect(await lines.next()).toEqual({ done: false, value: "a" });
    const next = lines.next();
    await new Promise((resolve) => setImmediate(resolve));
    abort.abort(new Error("enough"));
    await expect(next).rejects.toThrow("enough");
    expect(server.open).toBe(0);
    expect(await lines.next()).toEqual({ done: true, value: undefined });
  });

  it("XL8: a loop that is left closes the connection at once, and leaves no timer", async () => {
    const server = logServer([[`${at(1, 1)} a\n`, "wait"]], [state(0, running)]);
    for await (const line of server.pod.logs({ follow: true })) {
      expect(line).toBe("a");
      break;
    }
    expect([server.open, server.clock.pending]).toEqual([0, 0]);
  });

  it("XL8: return() ends a next() that waits, also one between two attempts", async () => {
    const server = logServer([[`${at(1, 1)} a\n`, reset()], reset()], [state(0, running)]);
    const lines = server.pod.logs({ follow: true });
    await lines.next();
    const next = lines.next();
    while (server.clock.pending === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    await lines.return?.();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(server.clock.pending).toBe(0);
  });

  it("XL10: an unreadable body is an error, not another attempt", async () => {
    const server = logServer([[new KubeError("Decode", "not valid gzip")]], [state(0, running)]);
    expect(await failure(server.pod.logs({ follow: true }).next())).toMatchObject({
      code: "Decode",
    });
  });

  it("XL4: a log that is refused again and again ends with the refusal", async () => {
    const refusal = statusResponse(400, "BadRequest");
    const server = logServer(
      [[`${at(1, 1)} a\n`, reset()], ...Array.from({ length: 9 }, () => refusal)],
      [state(0, running)],
    );
    expect(await failure(readAll(server, server.pod.logs({ follow: true })))).toMatchObject({
      code: "BadRequest",
    });
    expect(server.queries.length).toBe(7);
  });
});
