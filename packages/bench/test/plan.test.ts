import { describe, expect, it } from "vitest";
import { planTasks } from "../src/plan.js";
import type { Task } from "../src/task.js";

const full = planTasks(false);
const quick = planTasks(true);
const named = (name: string, tasks: readonly Task[] = full): Task => {
  const task = tasks.find((candidate) => candidate.name === name);
  if (task === undefined) {
    throw new Error(`no task ${name}`);
  }
  return task;
};
const programs = (name: string) => named(name).rows.map(({ program }) => program);

describe("a full run", () => {
  it.each(["list-10k", "list-50k"])(
    "%s: has three encodings, with and without managedFields",
    (name) => {
      expect(programs(name)).toEqual(
        expect.arrayContaining([
          "TypeKube JSON",
          "TypeKube JSON, lean",
          "TypeKube protobuf",
          "TypeKube protobuf, lean",
          "TypeKube CBOR",
          "TypeKube CBOR, lean",
          "floor",
          "floor (control)",
          "client-node",
          "client-go protobuf",
          "client-go JSON",
        ]),
      );
    },
  );

  it.each([
    "list-10k",
    "list-10k-pages",
    "informer-sync-10k",
    "get-tls-1",
    "get-tls-16",
    "get-tls-64",
    "create",
    "patch",
  ])("%s: has client-go in both encodings, on one core and on two", (name) => {
    const ofGo = programs(name).filter((program) => program.startsWith("client-go"));
    expect(ofGo).toEqual([
      "client-go protobuf",
      "client-go JSON",
      "client-go protobuf, one core",
      "client-go JSON, one core",
    ]);
    expect(programs(name)).toContain("client-node");
  });

  it.each(["informer-events", "watch-events"])(
    "%s: omits client-go with JSON on one core, which takes half a minute even on two",
    (name) => {
      expect(programs(name).filter((program) => program.startsWith("client-go"))).toEqual([
        "client-go protobuf",
        "client-go JSON",
        "client-go protobuf, one core",
      ]);
      expect(programs(name)).toContain("client-node");
    },
  );

  it.each(["10k", "50k", "200k"])("informer-sync-%s: uses lists and streaming lists", (size) => {
    expect(programs(`informer-sync-${size}`)).toEqual(
      expect.arrayContaining(["TypeKube protobuf", "TypeKube protobuf, streaming"]),
    );
  });

  it("has paged lists of both sizes, calls over TLS, and tasks on other runtimes", () => {
    for (const name of ["list-10k-pages", "list-50k-pages", "informer-sync-1k"]) {
      expect(programs(name)).not.toEqual([]);
    }
    expect([1, 16, 64].every((calls) => named(`get-tls-${calls}`).secure)).toBe(true);
    expect(new Set(full.map(({ runtime }) => runtime))).toEqual(
      new Set([undefined, "Node 20", "Node 22", "Node 26", "Bun", "Deno"]),
    );
  });

  it("has tasks on the real and on the embedded server", () => {
    expect(full.filter(({ real }) => real).map(({ name }) => name)).toEqual([
      "real-list-10k",
      "real-informer-10k",
      "real-controller-drain-10k",
      "real-controller-failover-release",
      "real-controller-failover-kill",
      "real-controller-steady",
      "real-controller-drain-100k",
      "real-controller-shards-100k",
      "settings-list-10k",
    ]);
    expect(named("embedded-create").count).toBe(20_000);
    expect(named("embedded-fanout-1000").count % 1_000).toBe(0);
  });
});

describe("the tasks of fields", () => {
  it("compare eight fields with whole objects and with client-go, and with the bytes alone", () => {
    expect(programs("fields-sync-50k")).toEqual(
      expect.arrayContaining([
        "TypeKube protobuf, eight fields",
        "TypeKube JSON, eight fields",
        "TypeKube protobuf",
        "TypeKube JSON",
        "undici, frames counted",
        "undici, frames decoded into a map",
        "client-go protobuf",
        "client-go protobuf, eight fields",
      ]),
    );
    expect(named("fields-sync-200k").count).toBe(200_000);
  });

  it("compare settings of Node with its defaults", () => {
    for (const name of ["settings-import", "settings-list-10k"]) {
      const { rows } = named(name);
      expect(rows.filter(({ baseline }) => baseline === "defaults")).toHaveLength(1);
      expect(rows.length).toBeGreaterThan(1);
    }
  });
});

describe("the tasks of controllers", () => {
  const controllers = full.filter(({ name }) => /controller/.test(name));

  it("compare each program with its twin of controller-runtime, in the same round", () => {
    for (const { name, rows } of controllers.filter(
      ({ name }) => !/adds|metrics|shards/.test(name),
    )) {
      const [peer, ...more] = rows.filter(({ baseline }) => baseline === "controller-runtime");
      expect([peer?.cell.endsWith("-controller-runtime"), more], name).toEqual([true, []]);
      const twin = peer?.cell.replace(/controller-runtime$/, "typekube");
      expect(
        rows.map(({ cell }) => cell),
        name,
      ).toContain(twin);
    }
  });

  it("last ten minutes in a long run, two in others, at 1,000 updates a second", () => {
    const steady = (long: boolean) => named("real-controller-steady", planTasks(false, long));
    expect(steady(false)).toMatchObject({ count: 120_000, updatesPerSecond: 1_000 });
    expect(steady(true)).toMatchObject({ count: 600_000, mostRounds: 1 });
    expect(steady(true).timeoutMs).toBeGreaterThan(600_000);
  });

  it("need no kube-apiserver in a quick run", () => {
    const names = quick.filter(({ name }) => /controller/.test(name)).map(({ name }) => name);
    expect(names).toEqual([
      "controller-queue-10k",
      "controller-queue-100k",
      "controller-webhook-1",
      "controller-webhook-16",
    ]);
  });
});

describe("the tasks of calls into pods", () => {
  const pods = full.filter(({ isPodCall }) => isPodCall);

  it("run in every run, and each compares TypeKube with its peers", () => {
    const peers = (name: string) => named(name).rows.flatMap(({ baseline }) => baseline ?? []);
    expect(pods.map(({ name }) => name)).toEqual(
      quick.filter(({ isPodCall }) => isPodCall).map(({ name }) => name),
    );
    for (const name of ["exec-output", "exec-unread", "exec-10k", "logs-follow"]) {
      expect(peers(`pod-${name}`), name).toEqual(["client-go", "client-node"]);
    }
    for (const name of ["forward-1gib", "forward-100x10mib"]) {
      expect(peers(`pod-${name}`), name).toEqual(["client-go", "client-node", "kubectl"]);
    }
    for (const name of ["cp-from-10k", "cp-to-10k"]) {
      expect(peers(`pod-${name}`), name).toEqual(["client-node", "kubectl"]);
    }
    for (const { name, rows } of pods) {
      expect(rows[0]?.program, name).toBe("TypeKube");
    }
  });

  it("move 1 GiB over one connection, and 10 MiB over each of 100, equally divided", () => {
    expect(named("pod-forward-1gib").count).toBe(2 ** 30);
    for (const tasks of [full, quick]) {
      const { count, rows, isForward } = named("pod-forward-100x10mib", tasks);
      expect([count % 100, isForward]).toEqual([0, true]);
      expect(new Set(rows.map(({ variant }) => variant))).toEqual(new Set(["100"]));
    }
    expect(named("pod-forward-100x10mib").count).toBe(100 * 10 * 2 ** 20);
  });
});

it("task names are unique, and program names are unique within a task", () => {
  for (const tasks of [full, quick]) {
    expect(new Set(tasks.map(({ name }) => name)).size).toBe(tasks.length);
    for (const { name, rows } of tasks) {
      expect(new Set(rows.map(({ program }) => program)).size, name).toBe(rows.length);
      const baselines = rows.flatMap(({ baseline }) => baseline ?? []);
      expect(new Set(baselines).size, name).toBe(baselines.length);
    }
  }
});

it("the control repeats the floor and is not a baseline", () => {
  for (const { name, rows } of full) {
    const floor = rows.find(({ baseline }) => baseline === "floor");
    const control = rows.find(({ program }) => program === "floor (control)");
    expect([control?.cell, control?.variant], name).toEqual([floor?.cell, floor?.variant]);
    expect(control?.baseline, name).toBeUndefined();
  }
});

it("a quick run has at most 10,000 pods and only tasks of a full run", () => {
  for (const { name, pods, count } of quick) {
    expect(pods).toBeLessThanOrEqual(10_000);
    expect(count, name).toBeLessThanOrEqual(named(name).count);
  }
});

describe("tasks on validation rules", () => {
  it.each(["cel-small", "cel-list", "cel-compile"])(
    "VS2: %s measures cel-go in the same round, with the same count",
    (name) => {
      expect(named(name).rows.map(({ cell, baseline }) => [cell, baseline])).toEqual([
        [`${name}-typekube`, undefined],
        [`${name}-cel-go`, "cel-go"],
      ]);
    },
  );

  it("VS3: a full run updates a definition 10,000 times", () => {
    expect(named("cel-updates").count).toBe(10_000);
  });
});
