import type { KubeObject } from "@typekube/api";
import type { Pod } from "@typekube/api/core/v1";
import { KubeError } from "@typekube/core";
import { expect, test } from "vitest";
import { observe } from "./follow-helper.js";
import { list, pod, ScriptedSource, type WatchResponse } from "./scripted-source.js";
import { added, bookmark, deleted, errorEvent, failure, modified, status } from "./wire-events.js";

test.each([{}, { metadata: null }, { metadata: 5 }])(
  "a list with an item without metadata (%j) fails, and the cache stays until the next list",
  async (odd) => {
    const broken = { items: [pod("b", 2), { kind: "Pod", ...odd } as never], version: 2 };
    const source = new ScriptedSource({
      lists: [list(1, pod("a", 1)), broken, list(3, pod("c", 3))],
      watches: [failure(410, "Expired")],
    });
    const { informer, clock, errors, content, settle } = observe(source);
    await settle();
    expect(informer.health.state).toBe("waiting");
    expect(content()).toEqual(["a@1"]);
    expect(errors.at(-1)?.code).toBe("Decode");
    await clock.advance(2_000);
    expect(content()).toEqual(["c@3"]);
    await informer.close();
  },
);

test("Q15: reports and skips objects without a name, in a list or a watch, and accepts those after them", async () => {
  const { name: _, ...metadata } = pod("x", 4).metadata ?? {};
  const nameless = { kind: "Pod", apiVersion: "v1", metadata } as never;
  const source = new ScriptedSource({
    lists: [list(3, pod("a", 1), nameless, pod("b", 2))],
    watches: [
      { batches: [[modified(pod("a", 5)), added(nameless), added(undefined), added(pod("c", 7))]] },
    ],
  });
  const { informer, errors, content, settle } = observe(source);
  await settle();
  expect(content()).toEqual(["a@5", "b@2", "c@7"]);
  expect(errors.map(({ message }) => message)).toEqual([
    "[Decode] skipped an item without a name in the PodList",
    "[Decode] the watch of Pod skipped an event of type ADDED whose object has no name",
    "[Decode] the watch of Pod skipped an event of type ADDED whose object has no kind",
  ]);
  expect([informer.health.state, source.watches.length]).toEqual(["watching", 1]);
  await informer.close();
});

test.each(["", "0"])(
  'N11, RV4: an event at the invalid resourceVersion "%s" is delivered, the position stays; a bookmark is skipped',
  async (version) => {
    const source = new ScriptedSource({
      lists: [list(10, pod("a", 10), pod("b", 9))],
      watches: [
        {
          batches: [
            [bookmark(version)],
            [modified(pod("a", version, { labels: { of: "it" } }))],
            [deleted(pod("b", version)), added(pod("c", version))],
            [modified(pod("c", version))],
          ],
          outcome: "end",
        },
      ],
    });
    const { informer, clock, errors, content, settle } = observe(source);
    const received: string[] = [];
    informer.onChange({
      add: ({ metadata }) => received.push(`+${metadata.name}`),
      update: ({ metadata }) => received.push(`~${metadata.name}`),
      delete: ({ metadata }) => received.push(`-${metadata.name}`),
    });
    await settle();
    await clock.advance(2_000);
    expect(informer.resourceVersion).toBe("10");
    expect(source.watches.map((watch) => watch.resourceVersion)).toEqual(["10", "10"]);
    expect(content()).toEqual([`a@${version}`, `c@${version}`]);
    expect(informer.get("default/a")?.metadata.labels).toEqual({ of: "it" });
    expect(received).toEqual(["+a", "+b", "~a", "-b", "+c"]);
    expect(errors.map(({ code }) => code)).toEqual(["Decode", "ConnectionClosed"]);
    await informer.close();
  },
);

test.each([
  [["same"], ["0", "(same)"]],
  [
    ["one", "two"],
    ["0", "(one)", "(two)"],
  ],
])("backs off from a server whose page tokens repeat (%j)", async (tokens, requested) => {
  const pages = Array.from({ length: 20 }, (_, at) => ({
    ...list(10, pod("a", 10)),
    next: tokens[at % tokens.length] as string,
  }));
  const source = new ScriptedSource({ lists: pages });
  const { informer, errors, settle } = observe(source);
  await settle();
  expect(source.listVersions).toEqual(requested);
  expect(errors.map(({ code }) => code)).toEqual(["Decode"]);
  expect(informer.health.state).toBe("waiting");
  await informer.close();
});

test("R25: backs off from a server that pages every list and lets every token expire", async () => {
  const pages = ["1", "2", "3", "4", "5", "6"].flatMap((next) => [
    { ...list(10, pod("a", 10)), next },
    failure(410, "Expired"),
  ]);
  const source = new ScriptedSource({ lists: pages });
  const { informer, settle } = observe(source);
  await settle();
  expect(source.listVersions).toEqual(["0", "(1)", "0", "(2)", "", "(3)", "", "(4)"]);
  expect(informer.health.state).toBe("waiting");
  await informer.close();
});

test("N9, N12: a server that expires each resourceVersion after one event is relisted at once first, then with delays", async () => {
  const rounds = [10, 20, 30, 40, 50, 60];
  const source = new ScriptedSource({
    lists: rounds.map((version) => list(version, pod("a", version))),
    watches: rounds.map((version) => ({
      batches: [[modified(pod("a", version + 1))]],
      outcome: failure(410, "Expired"),
    })),
  });
  const { informer, clock, content, settle } = observe(source);
  await settle();
  expect(source.lists).toHaveLength(2);
  expect(informer.health.state).toBe("waiting");
  await clock.advance(800);
  expect(source.lists).toHaveLength(3);
  await clock.advance(1_600 + 3_200 + 6_400);
  expect(source.lists).toHaveLength(6);
  expect(content()).toEqual(["a@61"]);
  await informer.close();
});

test("N8: relists to skip an event that is too large to read, like one that can't be decoded", async () => {
  const tooLarge = () => ({ outcome: new KubeError("TooLarge", "an object is too large") });
  const source = new ScriptedSource({
    lists: [list(10, pod("a", 10)), list(30, pod("a", 30))],
    watches: [tooLarge(), tooLarge(), tooLarge()],
  });
  const { informer, clock, content } = observe(source);
  await clock.advance(10_000);
  expect(source.watches.map(({ resourceVersion }) => resourceVersion)).toEqual([
    "10",
    "10",
    "10",
    "30",
  ]);
  expect(content()).toEqual(["a@30"]);
  await informer.close();
});

const page = new KubeError("NotKubernetes", "an HTML page came with HTTP 200");

test.each<[string, WatchResponse | KubeError]>([
  ["end at once without an event", { outcome: "end" }],
  ["are reset at once", { outcome: new KubeError("ConnectionReset", "reset") }],
  ["receive a gateway page", page],
])("R7 [+]: relists after three consecutive watches when watches %s", async (_, useless) => {
  const source = new ScriptedSource({
    lists: [list(10, pod("a", 10)), list(30, pod("a", 30)), list(50, pod("a", 50))],
    watches: [useless, useless, useless, useless, useless, useless],
  });
  const { informer, clock, content } = observe(source);
  await clock.advance(2_400);
  expect(source.watches).toHaveLength(3);
  expect(source.lists).toHaveLength(1);
  await clock.advance(3_200);
  expect([source.listVersions, content()]).toEqual([["0", "10"], ["a@30"]]);
  await clock.advance(60_000);
  expect([source.listVersions, content()]).toEqual([["0", "10", "30"], ["a@50"]]);
  await informer.close();
});

test("R9: repeated older events bring back neither objects missing from a snapshot nor earlier deletions", async () => {
  const gone410 = errorEvent(status(410, "Expired"));
  const source = new ScriptedSource({
    lists: [list(10, pod("a", 1), pod("b", 1)), list(20)],
    watches: [
      { batches: [[deleted(pod("a", 12))], [gone410]] },
      { batches: [[modified(pod("b", 15)), added(pod("a", 11))], [added(pod("b", 21))]] },
    ],
  });
  const log: string[] = [];
  const { informer, content, settle } = observe(source);
  const note = (verb: string) => (object: KubeObject) =>
    log.push(`${verb} ${object.metadata?.name} ${object.metadata?.resourceVersion}`);
  informer.onChange({ add: note("add"), delete: note("delete") });
  await settle();
  expect(log).toEqual(["add a 1", "add b 1", "delete a 12", "delete b 1", "add b 21"]);
  expect([content(), informer.health.staleEvents]).toEqual([["b@21"], 2]);
  await informer.close();
});

test.each([undefined, "", "0"])(
  "R12: objects at the invalid resourceVersion %j follow the last list",
  async (resourceVersion) => {
    const at = (name: string, phase: string) =>
      ({ ...pod(name, 1, { resourceVersion }), status: { phase } }) as KubeObject;
    const gone410 = { batches: [[errorEvent(status(410, "Expired"))]] };
    const source = new ScriptedSource({
      lists: [
        list(5, at("a", "Pending"), at("b", "Pending")),
        list(9, at("a", "Running"), at("b", "Pending")),
      ],
      watches: [gone410],
    });
    const log: string[] = [];
    const { informer, settle } = observe(source);
    const note = (verb: string) => (object: KubeObject) =>
      log.push(`${verb} ${object.metadata?.name} ${(object as Pod).status?.phase}`);
    informer.onChange({ add: note("add"), update: note("update") });
    await settle();
    expect(log).toEqual(["add a Pending", "add b Pending", "update a Running"]);
    await informer.close();
  },
);

test("a server restored from a backup may recreate an object that was deleted at a later resourceVersion", async () => {
  const gone410 = { batches: [[errorEvent(status(410, "Expired"))]] };
  const source = new ScriptedSource({
    lists: [list(900, pod("a", 800)), list(910), ...Array(4).fill(list(50))],
    watches: [gone410, gone410, { batches: [[added(pod("a", 51))]] }],
  });
  const { informer, clock, content } = observe(source);
  await clock.advance(120_000);
  expect(content()).toEqual(["a@51"]);
  await informer.close();
});

test("R9: a repeated deletion does not bring back an object that was recreated and deleted after it", async () => {
  const again = [deleted(pod("a", 5)), added(pod("a", 6)), deleted(pod("a", 7))];
  const source = new ScriptedSource({
    lists: [list(1, pod("a", 1))],
    watches: [{ batches: [again, again] }],
  });
  const log: string[] = [];
  const { informer, content, settle } = observe(source);
  const note = (verb: string) => (object: KubeObject) =>
    log.push(`${verb} ${object.metadata?.resourceVersion}`);
  informer.onChange({ add: note("add"), delete: note("delete") });
  await settle();
  expect(log).toEqual(["add 1", "delete 5", "add 6", "delete 7"]);
  expect([content(), informer.health.staleEvents]).toEqual([[], 2]);
  await informer.close();
});
