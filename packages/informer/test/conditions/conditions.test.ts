import type { KubeObject, Live } from "@typekube/api";
import { createVirtualClock } from "@typekube/apiserver";
import type { KubeError } from "@typekube/core";
import { conditions, type ObjectCondition, type WaitForOptions } from "@typekube/informer";
import { waitForOf } from "@typekube/informer/internal";
import { describe, expect, it } from "vitest";
import { list, pod, ScriptedSource } from "../scripted-source.js";
import { added, deleted as deletedEvent, failure, modified } from "../wire-events.js";

interface Parts {
  readonly conditions?: readonly object[];
  readonly status?: object;
  readonly metadata?: object;
}

/** Creates an object with conditions, a status and metadata. */
function objectWith({ conditions, status, metadata }: Parts = {}): Live<KubeObject> {
  const object = pod("a", 7, metadata);
  return { ...object, status: { conditions, ...status } } as unknown as Live<KubeObject>;
}

const is = (type: string, status = "True", more: object = {}) => ({ type, status, ...more });

describe("conditions", () => {
  it.each([
    ["Ready", conditions.ready()],
    ["Available", conditions.available()],
    ["Complete", conditions.complete()],
    ["Failed", conditions.failed()],
    ["Synced", conditions.has("Synced")],
    ["Synced", conditions.has("synced", "true")],
  ])("%s is met by that condition only", async (type, met) => {
    expect(await met(objectWith({ conditions: [is("Other"), is(type)] }))).toBe(true);
    expect(await met(objectWith({ conditions: [is(type, "False")] }))).toBe(false);
    expect(await met(objectWith({ conditions: [is("Other")] }))).toBe(false);
    expect(await met(objectWith())).toBe(false);
    expect(await met(pod("a", 1) as Live<KubeObject>)).toBe(false);
    expect(await met(undefined)).toBe(false);
  });

  it("has() accepts other statuses than True", async () => {
    const met = conditions.has("Ready", "Unknown");
    expect(await met(objectWith({ conditions: [is("Ready", "Unknown")] }))).toBe(true);
    expect(met.description).toBe("condition Ready=Unknown");
  });

  it.each([
    [{ generation: 2 }, {}, {}, true],
    [{ generation: 2 }, { observedGeneration: 1 }, {}, false],
    [{ generation: 2 }, { observedGeneration: 2 }, {}, true],
    [{ generation: 2 }, { observedGeneration: 2 }, { observedGeneration: 1 }, false],
    [{ generation: 2 }, { observedGeneration: 1 }, { observedGeneration: 2 }, true],
    [{}, { observedGeneration: 1 }, {}, true],
  ])(
    "ignores a condition that was written before the newest spec was observed: %j %j %j",
    async (metadata, status, own, met) => {
      const object = objectWith({ metadata, status, conditions: [is("Available", "True", own)] });
      expect(await conditions.available()(object)).toBe(met);
    },
  );

  it("exists and deleted check for existence; a uid distinguishes objects of one name", async () => {
    const there = objectWith();
    expect([await conditions.exists()(there), await conditions.exists()(undefined)]).toEqual([
      true,
      false,
    ]);
    expect([await conditions.deleted()(there), await conditions.deleted()(undefined)]).toEqual([
      false,
      true,
    ]);
    expect([
      await conditions.deleted("uid-a")(there),
      await conditions.deleted("uid-b")(there),
    ]).toEqual([false, true]);
  });

  it("complete() and failed() throw NeverMet for a Job with the opposite condition", () => {
    const done = objectWith({ conditions: [is("Complete")] });
    const broken = objectWith({
      conditions: [is("Failed", "True", { reason: "BackoffLimitExceeded" })],
    });
    expect(() => conditions.complete()(broken)).toThrow(
      '[NeverMet] Pod "a" has Failed=True (BackoffLimitExceeded) and will not become Complete',
    );
    expect(() => conditions.failed()(done)).toThrow("[NeverMet]");
  });
});

describe("jsonPath", () => {
  const object = objectWith({
    metadata: { labels: { "app.io/name": "web" }, annotations: { token: "secret" } },
    conditions: [is("Other", "False"), is("Ready")],
    status: {
      phase: "Running",
      replicas: 3,
      zero: 0,
      empty: "",
      nothing: null,
      ok: true,
      parts: { a: 1 },
    },
  });

  it.each([
    [".status.phase", "Running"],
    ["{.status.phase}", "Running"],
    ["$.status.phase", "Running"],
    ["status.phase", "Running"],
    [".status.replicas", 3],
    [".status.replicas", "3"],
    [".status.ok", true],
    [".status.zero", 0],
    [".status.empty", ""],
    [".metadata.labels['app.io/name']", "web"],
    ['.metadata.labels["app.io/name"]', "web"],
    [".metadata.labels.app\\.io/name", "web"],
    [".status.conditions[0].status", "False"],
    [".status.conditions[-1].status", "True"],
    ['.status.conditions[?(@.type=="Ready")].status', "True"],
    [".status.conditions[?(@.type=='Other')].status", "False"],
    [".status.conditions[?( @.type == Ready )].status", "True"],
    [".status.phase", undefined],
    [".status.zero", undefined],
    [".status.parts", undefined],
  ])("the value at %s equals %j", async (path, value) => {
    expect(await conditions.jsonPath(path, value)(object)).toBe(true);
  });

  it.each([
    [".status.phase", "Pending"],
    [".status.missing", undefined],
    [".status.nothing", undefined],
    [".status.nothing", "null"],
    [".status.parts", "[object Object]"],
    [".status.conditions[7].status", "True"],
    [".status.conditions.length", 2],
    [".status.phase.length", 7],
    [".constructor", undefined],
    [".__proto__", undefined],
  ])("the value at %s does not equal %j", async (path, value) => {
    expect(await conditions.jsonPath(path, value)(object)).toBe(false);
    expect(await conditions.jsonPath(path, value)(undefined)).toBe(false);
  });

  it.each(["", ".", "..a", ".a[", ".a[*]", ".a[?(@.b>1)]", ".a b", "{.a}{.b}", ".a[0:2]", ".a[x]"])(
    "rejects %j as a JSON path",
    (path) => {
      expect(() => conditions.jsonPath(path)).toThrow(
        /^\[InvalidArgument\] the JSON path ".*" cannot be read/,
      );
    },
  );
});

describe("waiting for a condition", () => {
  const setUp = (script: ConstructorParameters<typeof ScriptedSource>[0]) => {
    const source = new ScriptedSource(script);
    const clock = createVirtualClock();
    const options: WaitForOptions = { streamingList: false, random: () => 0 };
    const wait = (met: ObjectCondition, more: WaitForOptions = {}) =>
      waitForOf(source, "a", met, { ...options, ...more }, clock);
    return { source, clock, wait };
  };

  const late = async (object: KubeObject | undefined, met: ObjectCondition) => {
    const lists = [list(1, ...(object ? [object] : []))];
    const { clock, wait } = setUp({ lists, watches: [{ outcome: "stay" }] });
    const error = wait(met, { timeoutMs: 5_000 }).catch((caught: unknown) => caught);
    await clock.advance(5_000);
    return (await error) as Error;
  };

  it.each([
    [
      objectWith({ conditions: [is("Ready", "False", { reason: "ContainersNotReady" })] }),
      conditions.ready(),
      "condition Ready=True was not met (it was last seen at resourceVersion 7 with Ready=False (ContainersNotReady)) within 5000 ms",
    ],
    [
      objectWith(),
      conditions.available(),
      "(it was last seen at resourceVersion 7 with no condition Available)",
    ],
    [
      objectWith({
        metadata: { generation: 2 },
        status: { observedGeneration: 1 },
        conditions: [is("Ready")],
      }),
      conditions.ready(),
      "with Ready=True of an older generation)",
    ],
    [
      objectWith({ metadata: { deletionTimestamp: "t", finalizers: ["x.io/a"] } }),
      conditions.deleted(),
      "deleted() was not met (it was last seen at resourceVersion 7 with finalizers x.io/a)",
    ],
    [objectWith(), conditions.deleted(), "with no deletion requested)"],
    [undefined, conditions.ready(), "(the object does not exist)"],
    [
      objectWith({ status: { phase: "Pending" } }),
      conditions.jsonPath(".status.phase", "Running"),
      "with .status.phase=Pending)",
    ],
    [
      objectWith(),
      () => false,
      "the condition was not met (it was last seen at resourceVersion 7)",
    ],
  ])("the timeout error contains the state seen last (%#)", async (object, met, message) => {
    const error = await late(object, met as ObjectCondition);
    expect(error.message).toContain("[DeadlineExceeded]");
    expect(error.message).toContain(message);
  });

  it("the timeout error contains no value that may be secret", async () => {
    const secret = { ...pod("a", 7), data: { token: "c2VjcmV0" } };
    const error = await late(secret, conditions.jsonPath(".data.token", "x"));
    expect(error.message).toContain("with something else at .data.token)");
    expect(error.message).not.toContain("c2VjcmV0");
  });

  it("the timeout error reports that the object could not be read, with the failure as its cause", async () => {
    const { clock, wait } = setUp({ lists: [failure(500, "InternalError", "broken")] });
    const error = wait(conditions.ready(), { timeoutMs: 400 }).catch((caught: unknown) => caught);
    await clock.advance(400);
    expect(await error).toMatchObject({
      code: "DeadlineExceeded",
      message: expect.stringContaining("(it could not be read: [InternalError]"),
      cause: { code: "InternalError" },
    });
  });

  it("the hint for a condition that is no function names functions that exist", async () => {
    const { wait } = setUp({ lists: [], watches: [] });
    const error = await wait("Ready" as never).catch((caught: KubeError) => caught);
    const names = [...((error as KubeError).hint ?? "").matchAll(/conditions\.(\w+)\(/g)].map(
      ([, name]) => name,
    );
    expect(names.length).toBeGreaterThan(2);
    expect(Object.keys(conditions)).toEqual(expect.arrayContaining(names));
  });

  it("rejects at once with NeverMet, and leaves nothing open", async () => {
    const { source, clock, wait } = setUp({
      lists: [list(1, objectWith())],
      watches: [
        {
          batches: [
            [
              modified(
                objectWith({ metadata: { resourceVersion: "8" }, conditions: [is("Failed")] }),
              ),
            ],
          ],
        },
      ],
    });
    await expect(wait(conditions.complete())).rejects.toMatchObject({ code: "NeverMet" });
    expect([source.open, clock.pending]).toEqual([0, 0]);
  });

  it("detects an object that was deleted and recreated in one group of events", async () => {
    const again = pod("a", 9, { uid: "uid-next" });
    const { wait } = setUp({
      lists: [list(1, pod("a", 1))],
      watches: [{ batches: [[deletedEvent(pod("a", 8)), added(again)]] }],
    });
    expect(await wait(conditions.deleted())).toBeUndefined();
  });
});
