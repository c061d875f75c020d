import type { KubeObject } from "@typekube/api";
import { createVirtualClock } from "@typekube/apiserver";
import { Informer, type InformerOptions } from "@typekube/informer";
import { followSource, SharedCache, untilOf } from "@typekube/informer/internal";
import { describe, expect, it, test, vi } from "vitest";
import { observe } from "./follow-helper.js";
import { list, pod, ScriptedSource } from "./scripted-source.js";
import { added, failure, modified } from "./wire-events.js";

test("I1: an index function that returns no array is an error of that object; the shared cache continues", async () => {
  const source = new ScriptedSource({ lists: [list(1, pod("a", 1), pod("b", 1))] });
  const odd = ({ metadata }: { metadata: { name: string } }) =>
    metadata.name === "a" ? (undefined as never) : ["v"];
  const { informer, errors, content, settle } = observe(source, { indexes: { odd } });
  await settle();
  expect(content()).toEqual(["a@1", "b@1"]);
  expect(informer.health.state).toBe("watching");
  expect(informer.by["odd"]?.("v").map(({ metadata }) => metadata.name)).toEqual(["b"]);
  expect(errors.map(({ message }) => message)).toEqual([
    expect.stringContaining("an index function must return an array of strings"),
  ]);
  await informer.close();
});

describe("invalid handlers", () => {
  const method = () => {};

  it.each<[string, unknown, RegExp]>([
    ["nothing", undefined, /handler: must be an object .*pass { add\(object\)/],
    ["null", null, /handler: must be an object/],
    ["a word", "add", /handler: must be an object/],
    ["a function", method, /handler: must be an object .*pass { add: listener/],
    ["an empty object", {}, /handler: must be an object/],
    [
      "method names of another library",
      { onAdd: method, onError: method },
      /handler: must be an object/,
    ],
    [
      "a method that is not a function",
      { add: "x", update: method },
      /handler\.add: must be a function/,
    ],
    [
      "an onError that is not a function",
      { add: method, onError: true },
      /handler\.onError: must be a function/,
    ],
  ])("%s is rejected at the call", async (_, handler, message) => {
    const { informer } = observe(new ScriptedSource({ lists: [list(1)] }));
    const problem = { code: "InvalidArgument", message: expect.stringMatching(message) };
    expect(() => informer.onChange(handler as never)).toThrow(expect.objectContaining(problem));
    await informer.close();
  });

  it("inherited and additional members are accepted, and undefined or null ones are ignored", async () => {
    const received: string[] = [];
    class Base {
      add() {
        received.push("inherited");
      }
    }
    class Derived extends Base {
      readonly other = 5;
      more() {}
    }
    const withMethods = Object.assign(() => {}, { add: () => received.push("of a function") });
    const source = new ScriptedSource({ lists: [list(1, pod("a", 1))] });
    const { informer, settle } = observe(source);
    informer.onChange(new Derived());
    informer.onChange(withMethods);
    informer.onChange({
      add: () => received.push("own"),
      update: undefined,
      delete: null,
    } as never);
    informer.onChange({ replaced: method });
    await settle();
    expect(received).toEqual(["inherited", "of a function", "own"]);
    await informer.close();
  });
});

it.each([undefined, null, "spec.nodeName", { get: () => [] }])(
  "rejects an index function that is %j, and keeps nothing of it",
  async (given) => {
    const source = new ScriptedSource({ lists: [list(1, pod("a", 1))] });
    const { informer, settle, errors } = observe(source);
    const refusal = (text: RegExp) =>
      expect.objectContaining({
        code: "InvalidArgument",
        message: expect.stringMatching(text),
        hint: expect.stringContaining("=> ["),
      });
    expect(() => informer.addIndex("q", given as never)).toThrow(
      refusal(/index q: must be a function/),
    );
    informer.addIndex("q", () => ["v"]);
    await settle();
    expect([informer.by["q"]?.("v").length, errors]).toEqual([1, []]);
    await informer.close();
    expect(() => observe(source, { indexes: { q: given as never } })).toThrow(refusal(/index q/));
  },
);

test("I29: a recorded write for which the index function throws has no values, as in the cache", async () => {
  const source = new ScriptedSource({ lists: [list(1, pod("a", 1))] });
  const picky = ({ metadata }: { metadata: { name: string } }) => {
    if (metadata.name === "b") {
      throw new Error("not this one");
    }
    return ["v"];
  };
  const { informer, settle } = observe(source, { indexes: { picky } });
  await settle();
  informer.mutated(pod("b", 5) as never);
  expect(informer.list()).toHaveLength(2);
  expect(informer.by["picky"]?.("v").map(({ metadata }) => metadata.name)).toEqual(["a"]);
  await informer.close();
});

/** Creates two informers over one cache, with indexes on the same function. */
function sharedIndex() {
  const clock = createVirtualClock();
  const source = new ScriptedSource({ lists: [list(1, pod("a", 1))] });
  const cache = new SharedCache(source, { streamingList: false }, clock);
  const all = () => ["v"];
  const first = new Informer(cache);
  const second = new Informer(cache, { indexes: { all } });
  const index = first.addIndex("all", all);
  return { clock, first, second, index, all };
}

test("I1: removing an index after its informer was closed keeps it for the other informers that use it", async () => {
  const { clock, first, second, index } = sharedIndex();
  await clock.advance(0);
  await first.close();
  index.remove();
  expect(second.by.all("v")).toHaveLength(1);
  await second.close();
});

test("I1: a removed index finds nothing, even when another informer has the same function", async () => {
  const { clock, first, second, index, all } = sharedIndex();
  const again = first.addIndex("again", all);
  await clock.advance(0);
  index.remove();
  expect([index.get("v"), index.values(), again.get("v").length]).toEqual([[], [], 1]);
  await first.close();
  expect([again.get("v"), again.values(), second.by.all("v").length]).toEqual([[], [], 1]);
  await second.close();
});

test("an older state does not bring back an object that the transform left out", async () => {
  const done = modified(pod("a", 20, { labels: { done: "yes" } }));
  const again = modified(pod("a", 30));
  const source = new ScriptedSource({
    lists: [list(10, pod("a", 10))],
    watches: [
      { batches: [[done], [modified(pod("a", 15))]], outcome: "end" },
      { batches: [[again]] },
    ],
  });
  const contents: string[][] = [];
  const { informer, content, settle } = observe(source, {
    transform: (object) => (object.metadata.labels?.["done"] ? undefined : object),
    onRestart: () => contents.push(content()),
  });
  await settle();
  expect(contents).toEqual([[]]);
  expect(informer.health.staleEvents).toBe(1);
  expect(content()).toEqual(["a@30"]);
  await informer.close();
});

test("N13: a handler that returns a thenable, as query builders do, is awaited like a promise", async () => {
  const source = new ScriptedSource({ lists: [list(1, pod("a", 1), pod("b", 1))] });
  const { informer, settle } = observe(source);
  const seen: string[] = [];
  let finish = () => {};
  informer.onChange({
    add: ({ metadata }) => ({
      // biome-ignore lint/suspicious/noThenProperty: the test is about thenables
      then(resolve: () => void) {
        seen.push(metadata.name);
        finish = resolve;
      },
    }),
  });
  await settle();
  expect(seen).toEqual(["a"]);
  finish();
  await settle();
  expect(seen).toEqual(["a", "b"]);
  finish();
  await informer.close();
});

test("N15: an async transform, index function or filter is reported, without an unhandled rejection", async () => {
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  const rejects = (async () => {
    throw new Error("later");
  }) as never;
  const messages: string[][] = [];
  const items = [pod("a", 1)];
  for (const [options, filter] of [
    [{ transform: rejects }],
    [{ indexes: { node: rejects } }],
    [{}, rejects],
  ] as const) {
    const { informer, settle, errors } = observe(
      new ScriptedSource({ lists: [list(1, ...items)] }),
      options,
    );
    const add = vi.fn();
    informer.onChange({ add }, { filter });
    await settle();
    expect(add).toHaveBeenCalledTimes("indexes" in options ? 1 : 0);
    messages.push(errors.map(({ rawMessage }) => rawMessage));
    await informer.close();
  }
  process.off("unhandledRejection", unhandled);
  expect(unhandled).not.toHaveBeenCalled();
  expect(messages).toEqual([
    ["a transform must return its result directly, not a promise"],
    ["an index function must return its result directly, not a promise"],
    ["a filter must return its result directly, not a promise"],
  ]);
});

test("N15: an onError that rejects causes no unhandled rejection, and the next change is delivered", async () => {
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  const source = new ScriptedSource({ lists: [list(1, pod("a", 1), pod("b", 1))] });
  const { informer, settle } = observe(source);
  const add = vi.fn(() => {
    throw new Error("handler");
  });
  const onError = async () => {
    throw new Error("the one who reports");
  };
  informer.onChange({ add, onError });
  await settle();
  expect(add).toHaveBeenCalledTimes(2);
  expect(unhandled).not.toHaveBeenCalled();
  process.off("unhandledRejection", unhandled);
  await informer.close();
});

test("I5: a handler that onError adds while a group is applied sees each object once", async () => {
  const clock = createVirtualClock();
  const group = [added(pod("a", 2)), added(pod("b", 3)), added(pod("c", 4))];
  const source = new ScriptedSource({ lists: [list(1)], watches: [{ batches: [group] }] });
  const seen: string[] = [];
  const options: InformerOptions<KubeObject> = {
    streamingList: false,
    transform: (object) => {
      if (object.metadata.name === "b") {
        throw new Error("not this one");
      }
      return object;
    },
    onError: () => {
      informer.onChange({ add: ({ metadata }) => seen.push(metadata.name) });
    },
  };
  const informer: Informer = new Informer(new SharedCache(source, options, clock), options);
  await clock.advance(0);
  expect(seen).toEqual(["a", "c"]);
  expect(informer.health.lastError?.message).toContain("not this one");
  await informer.close();
});

const mistake = new Error("a mistake of the caller");

describe.each(["onError", "onProgress", "onRestart", "onState"])(
  "an error thrown by %s",
  (callback) => {
    const throws = () => {
      throw mistake;
    };
    const setUp = () => {
      const clock = createVirtualClock();
      const script = [failure(500, "InternalError"), list(1, pod("a", 1)), list(1, pod("a", 1))];
      const source = new ScriptedSource({ lists: script });
      return { clock, source, options: { streamingList: false, [callback]: throws } };
    };
    const requests = callback === "onProgress" ? 2 : callback === "onState" ? 0 : 1;

    test("ends `follow` and is not retried", async () => {
      const { clock, source, options } = setUp();
      const reader = followSource(source, options, clock)[Symbol.asyncIterator]();
      const reading = (async () => {
        while (!(await reader.next()).done) {}
      })();
      const ended = expect(reading).rejects.toBe(mistake);
      await clock.advance(60_000);
      await ended;
      expect((await reader.next()).done).toBe(true);
      expect([source.lists.length, source.open, clock.pending]).toEqual([requests, 0, 0]);
    });

    test("rejects `until` with the error of the callback and sends no further request", async () => {
      const { clock, source, options } = setUp();
      const waiting = untilOf(source, () => false, options, clock);
      const ended = expect(waiting).rejects.toBe(mistake);
      await clock.advance(60_000);
      await ended;
      expect([source.lists.length, source.open, clock.pending]).toEqual([requests, 0, 0]);
    });
  },
);

describe.each(["onError", "onProgress", "onRestart", "onState"])(
  "an async %s that rejects",
  (callback) => {
    const setUp = () => {
      const clock = createVirtualClock();
      const script = [failure(500, "InternalError"), list(1, pod("a", 1))];
      const watches = [{ batches: [[added(pod("b", 2))]] }];
      const source = new ScriptedSource({ lists: script, watches });
      const rejects = () => Promise.reject(mistake);
      return { clock, source, options: { streamingList: false, [callback]: rejects } };
    };

    test("causes no unhandled rejection in an informer, which continues", async () => {
      const unhandled = vi.fn();
      process.on("unhandledRejection", unhandled);
      const { clock, source, options } = setUp();
      const informer = new Informer(new SharedCache(source, options, clock), options);
      await clock.advance(60_000);
      process.off("unhandledRejection", unhandled);
      expect(unhandled).not.toHaveBeenCalled();
      expect(informer.list()).toHaveLength(2);
      await informer.close();
    });

    test("ends `follow` and rejects `until`", async () => {
      const followed = setUp();
      const following = (async () => {
        for await (const _ of followSource(followed.source, followed.options, followed.clock)) {
        }
      })();
      const waited = setUp();
      const waiting = untilOf(waited.source, () => false, waited.options, waited.clock);
      const ended = Promise.all([
        expect(following).rejects.toBe(mistake),
        expect(waiting).rejects.toBe(mistake),
      ]);
      await followed.clock.advance(60_000);
      await waited.clock.advance(60_000);
      await ended;
      expect([followed.clock.pending, waited.clock.pending]).toEqual([0, 0]);
    });
  },
);
