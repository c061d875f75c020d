import type { KubeObject } from "@typekube/api";
import { Namespace, Pod } from "@typekube/api/core/v1";
import { createVirtualClock, startApiServer } from "@typekube/apiserver";
import { KubeError } from "@typekube/core";
import { type Change, type UntilOptions, waitFor } from "@typekube/informer";
import { untilOf, waitForOf } from "@typekube/informer/internal";
import { describe, expect, it } from "vitest";
import { list, pod, ScriptedSource } from "../scripted-source.js";
import { added, deleted, errorEvent, failure, modified, status } from "../wire-events.js";

const gone410 = { batches: [[errorEvent(status(410, "Expired"))]] };
const is = (type: Change["type"]) => (change: Change) => change.type === type;

function setUp(script: ConstructorParameters<typeof ScriptedSource>[0]) {
  const source = new ScriptedSource(script);
  const clock = createVirtualClock();
  const options: UntilOptions = { streamingList: false, random: () => 0 };
  const wait = (
    conditions: Parameters<typeof untilOf>[1],
    more: UntilOptions = {},
  ): Promise<Change | undefined> => untilOf(source, conditions, { ...options, ...more }, clock);
  return { source, clock, options, wait };
}

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail("it succeeded"),
    (error: unknown) => error,
  );

describe("until", () => {
  it("T9: conditions are met one after the other; returns the change that met the last one", async () => {
    const { wait, source, clock } = setUp({
      lists: [list(1, pod("a", 1))],
      watches: [
        { batches: [[modified(pod("a", 2))], [deleted(pod("a", 3))], [added(pod("a", 4))]] },
      ],
    });
    const change = await wait([is("add"), is("update"), is("delete")]);
    expect(change).toMatchObject({
      type: "delete",
      object: { metadata: { resourceVersion: "3" } },
    });
    expect([source.open, clock.pending]).toEqual([0, 0]);
  });

  it("T9: one change may meet several conditions", async () => {
    const { wait } = setUp({ lists: [list(1, pod("a", 1))] });
    expect(await wait([is("add"), is("add"), () => true])).toMatchObject({ type: "add" });
  });

  it("T9: an error of a condition ends the wait, and the watch with it", async () => {
    const { wait, source } = setUp({ lists: [list(1, pod("a", 1))] });
    const reason = new Error("no");
    const failed = wait(() => {
      throw reason;
    });
    expect(await failureOf(failed)).toBe(reason);
    expect(source.open).toBe(0);
  });

  it("T9: rejects after timeoutMs with the last failure as the cause, and leaves nothing open", async () => {
    const { wait, source, clock } = setUp({
      lists: [failure(500, "InternalError", "broken")],
    });
    const failed = failureOf(wait(is("add"), { timeoutMs: 400 }));
    await clock.advance(400);
    expect(await failed).toMatchObject({
      code: "DeadlineExceeded",
      cause: { code: "InternalError" },
    });
    expect([source.open, clock.pending]).toEqual([0, 0]);
  });

  it("rejects with the signal's own reason, before and during the wait", async () => {
    const { wait, source, clock } = setUp({ lists: [list(1)] });
    const reason = new Error("enough");
    expect(await failureOf(wait(is("add"), { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(source.lists).toEqual([]);
    const controller = new AbortController();
    const failed = failureOf(wait(is("add"), { signal: controller.signal }));
    await clock.advance(0);
    controller.abort(reason);
    expect(await failed).toBe(reason);
    expect(source.open).toBe(0);
  });

  it("recovers from failures, and sees a missed deletion", async () => {
    const received: string[] = [];
    const { wait, clock } = setUp({
      lists: [list(1, pod("a", 1)), failure(500, "InternalError"), list(9)],
      watches: [gone410],
    });
    const waiting = wait([is("add"), is("delete")], { onError: ({ code }) => received.push(code) });
    await clock.advance(2_000);
    expect(await waiting).toMatchObject({ type: "delete", finalStateUnknown: true });
    expect(received).toEqual(["Expired", "InternalError"]);
  });

  it("T4: rejects at once when the collection is forbidden", async () => {
    const { wait } = setUp({ lists: [failure(403, "Forbidden", "pods is forbidden")] });
    expect(await failureOf(wait(is("add")))).toMatchObject({ code: "Forbidden" });
  });

  it("T10: a true precondition ends the wait, a false one lets it continue; it is called once", async () => {
    const { wait } = setUp({
      lists: [list(1, pod("a", 1)), list(1, pod("a", 1))],
      watches: [{ batches: [[modified(pod("a", 2))], [deleted(pod("a", 3))]] }],
    });
    const present: number[] = [];
    const look = (response: boolean): Pick<UntilOptions, "precondition"> => ({
      precondition: (store) => {
        present.push(store.size);
        return response;
      },
    });
    expect(await wait(is("delete"), look(true))).toBeUndefined();
    expect(await wait(is("delete"), look(false))).toMatchObject({ type: "delete" });
    expect(present).toEqual([1, 1]);
  });

  it("T10: does not call the precondition before the first snapshot is complete", async () => {
    const { wait, clock } = setUp({ lists: [] });
    let requested = 0;
    const failed = failureOf(
      wait(is("add"), {
        timeoutMs: 5_000,
        precondition: () => {
          requested++;
          return true;
        },
      }),
    );
    await clock.advance(5_000);
    expect(await failed).toMatchObject({ code: "DeadlineExceeded" });
    expect(requested).toBe(0);
  });

  it("rejects an empty list of conditions", async () => {
    const { wait } = setUp({});
    expect(await failureOf(wait([]))).toBeInstanceOf(KubeError);
  });
});

describe("waitFor", () => {
  it("follows one object by its name until it meets the condition", async () => {
    const { source, clock, options } = setUp({
      lists: [list(1)],
      watches: [
        { batches: [[added(pod("a", 2))], [modified(pod("a", 3, { labels: { ok: "" } }))]] },
      ],
    });
    const seen: (string | undefined)[] = [];
    const ready = (object: KubeObject | undefined) => {
      seen.push(object?.metadata?.resourceVersion);
      return object?.metadata?.labels?.["ok"] !== undefined;
    };
    const object = await waitForOf(source, "a", ready, options, clock);
    expect(object?.metadata.resourceVersion).toBe("3");
    expect(seen).toEqual([undefined, "2", "3"]);
    expect(source.lists[0]?.fieldSelector).toBe("metadata.name=a");
    expect([source.open, clock.pending]).toEqual([0, 0]);
  });

  it("checks every state, even when several arrive together", async () => {
    const ok = { labels: { ok: "" } };
    const { source, clock, options } = setUp({
      lists: [list(1)],
      watches: [
        {
          batches: [
            [added(pod("a", 2)), deleted(pod("a", 3))],
            [
              added(pod("a", 4)),
              modified(pod("a", 5, ok)),
              deleted(pod("a", 6)),
              added(pod("a", 7)),
            ],
          ],
        },
      ],
    });
    const seen: (string | undefined)[] = [];
    const ready = async (object: KubeObject | undefined) => {
      seen.push(object?.metadata?.resourceVersion);
      return object?.metadata?.labels?.["ok"] !== undefined;
    };
    const object = await waitForOf(source, "a", ready, options, clock);
    expect(object?.metadata.resourceVersion).toBe("5");
    expect(seen).toEqual([undefined, "2", undefined, "4", "5"]);
    expect([source.open, clock.pending]).toEqual([0, 0]);
  });

  it("sees an object created and deleted on the embedded server", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    await using client = await api.client();
    await client.resource(Namespace).create({ metadata: { name: "prod" } });
    const pods = client.resource(Pod, "prod");
    const options = { namespace: "prod" };
    const came = waitFor(client, Pod, "web-0", (web) => web !== undefined, options);
    for (const name of ["other", "web-0"]) {
      await pods.create({ metadata: { name }, spec: { containers: [{ name: "c", image: "i" }] } });
    }
    expect((await came)?.metadata.name).toBe("web-0");
    const went = waitFor(client, Pod, "web-0", (web) => web === undefined, options);
    await pods.delete("web-0", { gracePeriodSeconds: 0 });
    expect(await went).toBeUndefined();
    expect(api.openWatches).toBe(0);
  });
});
