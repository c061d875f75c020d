import { PassThrough } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ContainerState } from "@typekube/api/core/v1";
import { createVirtualClock, type PodHandlers } from "@typekube/apiserver";
import { type Client, mergePatch } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { describe, expect, it } from "vitest";
import { twoContainerPod } from "../helpers/two-container-pod.js";

const running: ContainerState = { running: { startedAt: "2026-01-01T00:00:00Z" } };
const terminated = (exitCode: number): ContainerState => ({ terminated: { exitCode } });

/** Writes the state of the container `main`, as its node does. */
async function setState(
  client: Client,
  restartCount: number,
  state: ContainerState,
  lastState: ContainerState = {},
): Promise<void> {
  const facts = { name: "main", image: "x", imageID: "", ready: true };
  const containerStatuses = [{ ...facts, restartCount, state, lastState }];
  const status = { containerStatuses };
  await client.resource(Pod, "default").status.patch("web-0", mergePatch({ status }) as never);
}

describe("the exit code of an attached container that restarted before", () => {
  /** Attaches to the second instance, and returns the exit code after the node has stated its end. */
  async function exitCodeAfter(end: (client: Client) => Promise<void>) {
    const clock = createVirtualClock(0);
    const pods: PodHandlers = { attach: async () => undefined };
    const { api, client, pod } = await twoContainerPod({ pods, clock }, "in process");
    const reads = () =>
      api.requests.filter(
        ({ verb, resource, subresource }) =>
          `${verb} ${resource} ${subresource ?? ""}` === "get pods ",
      );
    await setState(client, 1, running, terminated(1));
    await using session = await pod.attach();
    let result: { readonly exitCode: number | undefined } | undefined;
    void session.result.then((ended) => {
      result = ended;
    });
    // One read at the start, and one after the end of the session.
    await expect.poll(() => reads().length).toBe(2);
    await end(client);
    while (result === undefined) {
      await nextTurn();
      await clock.advance(250);
    }
    return result.exitCode;
  }

  it("XA3: is not that of an instance before it, also while the status lags behind", async () => {
    expect(await exitCodeAfter((client) => setState(client, 1, terminated(7), terminated(1)))).toBe(
      7,
    );
  });

  it("XA3: is found after it has started again", async () => {
    expect(await exitCodeAfter((client) => setState(client, 2, running, terminated(9)))).toBe(9);
  });
});

it("XA3: the output ends with the container, before its exit code is known", async () => {
  // Its time stands still: the status of the pod never comes.
  const clock = createVirtualClock(0);
  const attach: PodHandlers["attach"] = async ({ stdout }) => {
    await stdout("out");
    return undefined;
  };
  const { pod } = await twoContainerPod({ pods: { attach }, clock }, "in process");
  await using session = await pod.attach();
  expect(await session.stdout.text()).toBe("out");
  expect(await session.stderr.text()).toBe("");
});

describe("a container that ends while its log is read", () => {
  it("XA5: has its whole log and its exit code", async () => {
    let onGone = () => {};
    const gone = new Promise<void>((resolve) => {
      onGone = resolve;
    });
    let reads = 0;
    const pods: PodHandlers = {
      async *log() {
        const isFirst = ++reads === 1;
        for (const text of ["a", "b", "c"]) {
          yield { text, time: "2026-01-01T00:00:00Z" };
          if (!isFirst) {
            await gone;
          }
        }
      },
      async attach({ signal }) {
        signal.addEventListener("abort", () => onGone(), { once: true });
        return undefined;
      },
    };
    const { client, pod } = await twoContainerPod({ pods });
    await setState(client, 0, terminated(3));
    await using session = await pod.attach({ logs: true });
    expect(await session.stdout.text()).toBe("a\nb\nc\n");
    expect(await session.result).toEqual({ exitCode: 3 });
  });
});

it("XA5: lines of the log are not repeated when the error output comes before them", async () => {
  let reads = 0;
  const pods: PodHandlers = {
    log: () =>
      ++reads === 1
        ? []
        : ["a", "b", "error", "last"].map((text) => ({ text, time: "2026-01-01T00:00:00Z" })),
    async attach({ stdout, stderr }) {
      // The order between two channels is not kept.
      await stderr("error\n");
      await stdout("a\nb\n");
      await stdout("last\n");
      return undefined;
    },
  };
  const { client, pod } = await twoContainerPod({ pods });
  await setState(client, 0, terminated(0));
  await using session = await pod.attach({ logs: true });
  const outputs = await Promise.all([session.stdout.text(), session.stderr.text()]);
  expect(outputs).toEqual(["a\nb\nlast\n", "error\n"]);
});

describe("a session that is left while its log is read", () => {
  const pods: PodHandlers = {
    async *log({ tailLines, signal }) {
      yield { text: "a", time: "2026-01-01T00:00:00Z" };
      if (tailLines === undefined) {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      }
    },
    async attach({ signal }) {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return undefined;
    },
  };

  it("XA5, XA6: by its keys ends with the result that says so", async () => {
    const { pod } = await twoContainerPod({ pods });
    await using session = await pod.attach({ logs: true, stdin: true, detachKeys: "ctrl-p" });
    const output = session.stdout[Symbol.asyncIterator]();
    expect(String((await output.next()).value)).toBe("a\n");
    session.stdin?.write("\u0010");
    expect(await session.result).toEqual({ exitCode: undefined, isDetached: true });
  });

  it("XA5, XT18: by close() or a signal ends with that reason", async () => {
    const { pod } = await twoContainerPod({ pods });
    const abort = new AbortController();
    const session = await pod.attach({ logs: true, signal: abort.signal });
    const reason = new Error("enough");
    abort.abort(reason);
    await expect(session.result).rejects.toBe(reason);
    const other = await pod.attach({ logs: true });
    await other.close();
    await expect(other.result).rejects.toThrow("the session was closed");
  });
});

describe("a terminal without a usual size", () => {
  /** Returns the sizes of a session's start. */
  const sizes = (count: number): PodHandlers => {
    const handler: NonNullable<PodHandlers["exec"]> = async ({ resizes, stdout }) => {
      const seen: unknown[] = [];
      for await (const { width, height } of resizes) {
        seen.push([width, height]);
        if (seen.length === count) {
          break;
        }
      }
      await stdout(JSON.stringify(seen));
      return 0;
    };
    return { exec: handler, attach: handler };
  };

  it("XE16: that states no size is used with the default one", async () => {
    const { pod } = await twoContainerPod({ pods: sizes(1) });
    const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} });
    const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 0, rows: 0 });
    await pod.terminal(["sh"], { streams: { stdin, stdout } });
    expect(String(stdout.read())).toBe("[[80,24]]");
  });

  it("XA2: of the greatest height is shown again, too", async () => {
    const { client } = await twoContainerPod({ pods: sizes(3) });
    const all = client.resource(Pod, "default");
    await all.create({
      metadata: { name: "shell" },
      spec: { containers: [{ name: "main", image: "x", tty: true }] },
    });
    const size = { width: 80, height: 65_535 };
    await using session = await all.named("shell").attach({ size });
    expect(JSON.parse(await session.stdout.text())).toEqual([
      [80, 65_535],
      [80, 65_534],
      [80, 65_535],
    ]);
  });
});
