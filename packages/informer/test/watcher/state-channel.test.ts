import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Pod } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import type { WatchStateChanged } from "@typekube/core/internal";
import type { UntilOptions } from "@typekube/informer";
import { untilOf, waitForOf } from "@typekube/informer/internal";
import { connect } from "typekube";
import { describe, expect, it } from "vitest";
import { observe } from "../follow-helper.js";
import { list, pod, ScriptedSource } from "../scripted-source.js";
import { errorEvent, failure, status } from "../wire-events.js";

/** Records all messages until it is disposed. */
function listen() {
  const events: WatchStateChanged[] = [];
  const onMessage = (message: unknown) => events.push(message as WatchStateChanged);
  subscribe("typekube:watch.state", onMessage);
  return {
    events,
    /** `from>to reason`, one per message. */
    get story() {
      return events.map(({ from, to, reason }) => `${from}>${to} ${reason}`);
    },
    [Symbol.dispose]: () => unsubscribe("typekube:watch.state", onMessage),
  };
}

describe("typekube:watch.state", () => {
  it("publishes each state change in order, with its reason, and the error if there was one", async () => {
    using received = listen();
    const source = new ScriptedSource({
      lists: [list(1), failure(500, "InternalError"), list(9, pod("a", 9))],
      watches: [
        failure(429, "TooManyRequests"),
        { batches: [[errorEvent(status(410, "Expired"))]] },
      ],
    });
    const { informer, clock } = observe(source);
    await clock.advance(60_000);
    await informer.close();
    expect(received.story).toEqual([
      "stopped>listing Started",
      "listing>watching Synced",
      "watching>waiting TooManyRequests",
      "waiting>watching Waited",
      "watching>listing Expired",
      "listing>waiting InternalError",
      "waiting>listing Waited",
      "listing>watching Synced",
      "watching>stopped Closed",
    ]);
    expect(
      received.events.map(({ error }) => (error as { code?: string } | undefined)?.code),
    ).toEqual([
      undefined,
      undefined,
      "TooManyRequests",
      undefined,
      "Expired",
      "InternalError",
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("publishes the end of waits too: when met, when timed out, when a condition throws", async () => {
    using received = listen();
    const names: string[] = [];
    const options: UntilOptions = {
      streamingList: false,
      onState: ({ name }) => names.push(name),
    };
    const source = () => new ScriptedSource({ lists: [list(1, pod("a", 1))] });
    const never = () => false;
    await untilOf(source(), () => true, options);
    await waitForOf(source(), "a", (one) => one !== undefined, options);
    await expect(untilOf(source(), never, { ...options, timeoutMs: 5 })).rejects.toThrow("within");
    const thrown = untilOf(source(), () => Promise.reject(new Error("odd")), options);
    await expect(thrown).rejects.toThrow("odd");
    const one = ["stopped>listing Started", "listing>watching Synced", "watching>stopped Closed"];
    expect(received.story).toEqual([...one, ...one, ...one, ...one]);
    expect(names.filter((name) => name === "stopped")).toHaveLength(4);
  });

  it("names the followed resource, also for a kind that is found by discovery", async () => {
    using received = listen();
    await using api = await startApiServer({ clock: "virtual" });
    await using client = await connect({ transport: api });
    await using pods = client.informer(Pod, { namespace: "default" });
    await pods.synced();
    const subject = { apiVersion: "v1", resource: "pods", namespace: "default" };
    expect(received.events).toMatchObject([
      { ...subject, from: "stopped", to: "streaming" },
      { ...subject, from: "streaming", to: "watching" },
    ]);
    received.events.length = 0;
    await using nodes = client.informer({ apiVersion: "v1", kind: "Node" }, { view: "metadata" });
    await nodes.synced();
    // The plural is unknown before the first request.
    expect(received.events.map(({ resource }) => resource)).toEqual(["Node", "nodes"]);
    expect(received.events.map(({ apiVersion }) => apiVersion)).toEqual(["v1", "v1"]);
  });

  it("creates no messages without a subscriber", async () => {
    const source = new ScriptedSource({ lists: [list(1)] });
    let requested = 0;
    Object.defineProperty(source, "subject", {
      get: () => ({
        get apiVersion() {
          requested++;
          return "v1";
        },
        resource: "pods",
      }),
    });
    const { informer, settle } = observe(source);
    await settle();
    expect([informer.isSynced, requested]).toEqual([true, 0]);
    using received = listen();
    await informer.close();
    expect([received.events.length, requested]).toEqual([1, 1]);
  });
});
