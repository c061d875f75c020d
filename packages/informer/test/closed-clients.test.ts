import { ConfigMap } from "@typekube/api/core/v1";
import { createVirtualClock, startApiServer } from "@typekube/apiserver";
import { KubeError } from "@typekube/core";
import { sleep } from "@typekube/core/internal";
import { createInformer, follow, until, waitFor, watchFrom } from "@typekube/informer";
import { untilOf, watchSourceFrom } from "@typekube/informer/internal";
import { connect } from "typekube";
import { expect, test } from "vitest";
import { observe } from "./follow-helper.js";
import { list, pod, ScriptedSource } from "./scripted-source.js";
import { added } from "./wire-events.js";

const closed = new KubeError("Closed", "the transport is closed");
const gone = () =>
  new ScriptedSource({ lists: [closed, closed, closed], watches: [closed, closed, closed] });

test("an informer reports that its client was closed and ends, so that nothing keeps the process alive", async () => {
  const source = new ScriptedSource({ lists: [list(5, pod("a", 5))], watches: [closed, closed] });
  const states: string[] = [];
  const { informer, clock, errors, content } = observe(source, {
    onState: ({ name }) => states.push(name),
  });
  const changes: string[] = [];
  const reading = (async () => {
    for await (const { key } of informer.changes()) {
      changes.push(key);
    }
  })();
  await clock.advance(5_000);
  await reading;
  expect(errors).toEqual([closed, closed]);
  expect(states).toEqual(["listing", "watching", "waiting", "watching", "stopped"]);
  expect(informer.health).toMatchObject({ state: "stopped", lastError: closed });
  expect([content(), changes, clock.pending]).toEqual([["a@5"], ["default/a"], 0]);
});

test("synced() rejects within seconds when the client is closed, before failAfterMs", async () => {
  const { informer, clock } = observe(gone());
  const waiting = expect(informer.synced()).rejects.toBe(closed);
  await clock.advance(2_000);
  await waiting;
});

test("a single closed connection does not end an informer", async () => {
  const source = new ScriptedSource({
    lists: [closed, list(5, pod("a", 5))],
    watches: [closed, { batches: [[added(pod("b", 6))]], outcome: closed }, {}],
  });
  const { informer, clock, content } = observe(source);
  await clock.advance(60_000);
  expect([informer.health.state, content()]).toEqual(["watching", ["a@5", "b@6"]]);
  await informer.close();
});

test("two closed connections do not end an informer after a response or another failure in between", async () => {
  const refused = new KubeError("ConnectionRefused", "connection refused");
  const failing = new ScriptedSource({
    lists: [list(5, pod("a", 5))],
    watches: [closed, refused, closed, {}],
  });
  const first = observe(failing);
  await first.clock.advance(60_000);
  expect(first.informer.health.state).toBe("watching");
  await first.informer.close();

  const quiet = new ScriptedSource({ lists: [list(5, pod("a", 5))] });
  const second = observe(quiet);
  quiet.watchBatches = async function* ({ signal, ...options }, supervisor) {
    quiet.watches.push(options);
    if (quiet.watches.length % 2 === 1) {
      throw closed;
    }
    supervisor?.onResponse?.();
    yield [];
    await sleep(second.clock, 300_000, signal);
  };
  await second.clock.advance(900_000);
  expect([second.informer.health.state, quiet.watches.length]).toEqual(["watching", 6]);
  await second.informer.close();
});

test("closed connections do not end watchFrom, which resumes from its resourceVersion", async () => {
  const source = new ScriptedSource({
    watches: [
      closed,
      { batches: [[added(pod("a", 6))]], outcome: closed },
      { outcome: "end" },
      closed,
      { batches: [[added(pod("b", 7))]] },
    ],
  });
  const clock = createVirtualClock();
  const received: string[] = [];
  const events = watchSourceFrom(
    source,
    { resourceVersion: "5", onError: ({ code }) => received.push(code) },
    clock,
  );
  const reader = events[Symbol.asyncIterator]();
  const first = reader.next();
  await clock.advance(10_000);
  expect((await first).value.object.metadata.name).toBe("a");
  const second = reader.next();
  await clock.advance(60_000);
  expect((await second).value.object.metadata.name).toBe("b");
  expect(received).toEqual(["Closed", "Closed", "ConnectionClosed", "Closed"]);
  await reader.return?.();
});

test("until and watchFrom reject with Closed, as no more changes can arrive", async () => {
  const waiting = untilOf(gone(), () => false, { streamingList: false, backoff: { initialMs: 1 } });
  await expect(waiting).rejects.toBe(closed);
  const events = watchSourceFrom(gone(), { resourceVersion: "5" });
  await expect(events[Symbol.asyncIterator]().next()).rejects.toBe(closed);
});

test("a back-off ends at once when the client, or another one of the same connection, is closed", async () => {
  await using api = await startApiServer({ clock: "virtual" });
  const client = await api.client();
  api.fault({ resource: "configmaps", status: 500, times: 1e6 });
  const states: string[] = [];
  const errors: string[] = [];
  const informer = createInformer(client, ConfigMap, {
    onState: ({ name }) => states.push(name),
    onError: ({ code }) => errors.push(code),
  });
  const codeOf = (work: Promise<unknown>) => work.catch(({ code }: KubeError) => code);
  const readOut = async (events: AsyncIterable<unknown>) => {
    for await (const _ of events) {
      // Skip the gap.
    }
  };
  const ends = [
    informer.synced(),
    readOut(follow(client, ConfigMap)),
    readOut(watchFrom(client, ConfigMap, { resourceVersion: "1" })),
    until(client, ConfigMap, () => false),
    waitFor(client, ConfigMap, "a", () => false, { namespace: "default" }),
  ].map(codeOf);
  // Five back-off timers, and the timer of synced().
  await expect.poll(() => [states.at(-1), api.clock.pending]).toEqual(["waiting", 6]);
  await client.with({ fieldManager: "me" }).close();
  expect(await Promise.all(ends)).toEqual(Array(5).fill("Closed"));
  expect([informer.health.state, states.at(-1), errors.at(-1)]).toEqual([
    "stopped",
    "stopped",
    "Closed",
  ]);
  await using late = createInformer(client, ConfigMap);
  await expect(late.synced()).rejects.toMatchObject({ code: "Closed" });
  expect(api.clock.pending).toBe(0);
});

test("over a socket: closing the client ends its informer and follow", async () => {
  await using api = await startApiServer();
  const listener = await api.listen();
  const client = await connect(listener.connectOptions());
  const backoff = { initialMs: 1 };
  const options = { backoff, namespace: "default" };
  const informer = createInformer(client, ConfigMap, options);
  const events = follow(client, ConfigMap, options)[Symbol.asyncIterator]();
  await informer.synced();
  while ((await events.next()).value?.type !== "synced") {
    // Skip the snapshot.
  }
  const stopped = informer.changes().next();
  await client.close();
  expect((await stopped).done).toBe(true);
  const last = async () => {
    while (!(await events.next()).done) {
      // A gap may come first.
    }
  };
  await expect(last()).rejects.toMatchObject({ code: "Closed" });
  expect(informer.health.state).toBe("stopped");
});
