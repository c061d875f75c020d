import { KubeError, mergePatch } from "typekube";
import { Lease } from "typekube/api/coordination/v1";
import { ConfigMap } from "typekube/api/core/v1";
import { describe, expect, test } from "vitest";
import { explore, type OperatorContext, type Scenario } from "../../src/testing/index.js";

const maps = (client: OperatorContext["client"]) => client.resource(ConfigMap, "default");
const note = (name: string, data: Record<string, string> = {}) => ({ metadata: { name }, data });

/** Notes of an operator about the ConfigMaps `a` and `b`, since the last `begin()`. */
function witness(act: (seen: string[], context: OperatorContext) => Promise<unknown>) {
  let seen: string[] = [];
  return {
    begin: () => {
      seen = [];
    },
    get seen() {
      return seen;
    },
    operator: async (context: OperatorContext) => act(seen, context),
  };
}

/** Watches ConfigMaps with an informer, and notes its calls. */
const watching = () =>
  witness(async (seen, { client, signal }) => {
    const informer = client.informer(ConfigMap, { namespace: "default" });
    informer.onChange({
      add: (object) => seen.push(`add ${object.metadata.name}`),
      update: (object) => seen.push(`update ${object.metadata.name} ${object.data?.["n"]}`),
      delete: (object) => seen.push(`delete ${object.metadata.name}`),
    });
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  });

const steps: Scenario["steps"] = {
  "create a and b": async (client) => {
    await maps(client).create(note("a", { n: "1" }));
    await maps(client).create(note("b", { n: "1" }));
  },
  "change a, and again": async (client) => {
    await maps(client).patch("a", mergePatch({ data: { n: "2" } }));
    await maps(client).patch("a", mergePatch({ data: { n: "3" } }));
  },
  "delete b": (client) => maps(client).delete("b"),
};

async function seenWith(faults: readonly object[]): Promise<string[]> {
  const one = watching();
  const scenario: Scenario = { operator: one.operator, steps, withinMs: 120_000 };
  const replay = JSON.stringify({ steps: [1, 2, 3], faults });
  let seen: string[] = [];
  const operator: Scenario["operator"] = async (context) => {
    seen = [];
    one.begin();
    const end = one.operator(context);
    seen = one.seen;
    await end;
  };
  await explore({ ...scenario, operator }, { replay });
  return seen;
}

describe("events", () => {
  const all = ["add a", "add b", "update a 2", "update a 3", "delete b"];

  test("come in order without faults", async () => {
    expect(await seenWith([])).toEqual(all);
  });

  test("wait, and then all come in order", async () => {
    expect(await seenWith([{ type: "lag", resource: "configmaps", event: 3 }])).toEqual(all);
    const long = { type: "lag", resource: "configmaps", event: 3, long: true };
    expect(await seenWith([long])).toEqual(all);
  });

  test("are missed: the operator sees only the last state", async () => {
    expect(await seenWith([{ type: "miss", resource: "configmaps", event: 3 }])).toEqual([
      "add a",
      "add b",
      "update a 3",
      "delete b",
    ]);
    const long = { type: "miss", resource: "configmaps", event: 3, long: true };
    // A list tells of what is gone first.
    expect(await seenWith([long])).toEqual(["add a", "add b", "delete b", "update a 3"]);
  });

  test("go on after a watch broke or expired", async () => {
    for (const how of ["break", "expire"]) {
      expect(await seenWith([{ type: "cut", resource: "configmaps", event: 3, how }])).toEqual(all);
    }
  });
});

/** Runs one operator with one fault, and returns what it noted. */
async function noted(
  act: (seen: string[], context: OperatorContext) => Promise<unknown>,
  faults: readonly object[],
  more: Partial<Scenario> = {},
): Promise<{ readonly seen: string[]; readonly text: string }> {
  let seen: string[] = [];
  const scenario: Scenario = {
    steps: { "create a": (client) => maps(client).create(note("a")) },
    withinMs: 120_000,
    ...more,
    operator: async (context) => {
      if (context.identity === "operator-1") {
        seen = [];
      }
      await act(seen, context);
      await new Promise(() => {});
    },
  };
  const count = Object.keys(scenario.steps).length;
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  const found = await explore(scenario, { replay: JSON.stringify({ steps: numbers, faults }) });
  return { seen, text: found.text() };
}

const outcomeOf = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "done",
    (error: unknown) => (error instanceof KubeError ? error.code : String(error)),
  );

describe("calls", () => {
  const create = async (seen: string[], { client, identity }: OperatorContext) => {
    seen.push(`${identity} starts`);
    seen.push(await outcomeOf(maps(client).create(note("made"))));
    seen.push(`${identity} continues`);
  };

  test("crash before: the call has no effect, and nobody goes on", async () => {
    const { seen } = await noted(create, [{ type: "crash", call: 1, when: "before" }]);
    expect(seen).toEqual([
      "operator-1 starts",
      "operator-2 starts",
      "done",
      "operator-2 continues",
    ]);
  });

  test("crash after: the call has its effect, and nobody learns of it", async () => {
    const { seen } = await noted(create, [{ type: "crash", call: 1, when: "after" }]);
    expect(seen).toEqual([
      "operator-1 starts",
      "operator-2 starts",
      "AlreadyExists",
      "operator-2 continues",
    ]);
  });

  test("crash with a late start: the next step happens in between", async () => {
    const steps = {
      "create a": (client: OperatorContext["client"]) => maps(client).create(note("a")),
      "create made": (client: OperatorContext["client"]) => maps(client).create(note("made")),
    };
    const late = { type: "crash", call: 1, when: "before", down: true };
    const { seen } = await noted(
      async (seen, context) => {
        const names = (await maps(context.client).list()).items.map(
          ({ metadata }) => metadata.name,
        );
        seen.push(
          `${context.identity} finds ${names.filter((name) => name !== "kube-root-ca.crt")}`,
        );
      },
      [late],
      { steps },
    );
    expect(seen).toEqual(["operator-2 finds a"]);
  });

  test("a lost response: the call has its effect, and fails", async () => {
    const { seen } = await noted(create, [{ type: "lose", call: 1, when: "after" }]);
    expect(seen).toEqual(["operator-1 starts", "ConnectionReset", "operator-1 continues"]);
  });

  test.each([
    [409, "Conflict"],
    [500, "InternalError"],
  ])("a refusal with %d has no effect", async (status, code) => {
    const { seen, text } = await noted(create, [{ type: "refuse", call: 1, status }]);
    expect(seen).toEqual(["operator-1 starts", code, "operator-1 continues"]);
    expect(text).toContain("- ConfigMap default made");
  });

  test("a refusal with 429 is tried again by the client after its Retry-After", async () => {
    const { seen } = await noted(create, [{ type: "refuse", call: 1, status: 429 }]);
    expect(seen).toEqual(["operator-1 starts", "done", "operator-1 continues"]);
  });

  test("a clock jumps, and timers do not notice", async () => {
    const act = async (seen: string[], { client, clock }: OperatorContext) => {
      const before = clock.now();
      const monotonic = clock.monotonic?.() ?? 0;
      await maps(client).create(note("made"));
      seen.push(`${clock.now() - before} ${(clock.monotonic?.() ?? 0) - monotonic}`);
    };
    expect((await noted(act, [{ type: "jump", call: 1, ms: -3_600_000 }])).seen).toEqual([
      "-3600000 0",
    ]);
  });

  test("an old state: a list that accepts one lacks the last writes", async () => {
    const act = async (seen: string[], { client, clock }: OperatorContext) => {
      await new Promise<void>((resolve) => clock.schedule(5_000, resolve));
      const { items } = await maps(client).list({ resourceVersion: "0" });
      seen.push(items.map(({ metadata }) => metadata.name).join());
    };
    expect((await noted(act, [])).seen).toEqual(["a"]);
    expect((await noted(act, [{ type: "stale", call: 1, writes: 1 }])).seen).toEqual([""]);
  });

  test("an old state and a conflict leave calls alone at which they can't occur", async () => {
    const act = async (seen: string[], { client, clock }: OperatorContext) => {
      await new Promise<void>((resolve) => clock.schedule(5_000, resolve));
      const { items } = await maps(client).list();
      seen.push(items.map(({ metadata }) => metadata.name).join());
    };
    expect((await noted(act, [{ type: "stale", call: 1, writes: 1 }])).seen).toEqual(["a"]);
    expect((await noted(act, [{ type: "refuse", call: 1, status: 409 }])).seen).toEqual(["a"]);
  });

  test("an early step happens before the call", async () => {
    const act = async (seen: string[], { client, clock }: OperatorContext) => {
      await new Promise<void>((resolve) => clock.schedule(1_500, resolve));
      seen.push(await outcomeOf(maps(client).get("b")));
    };
    const steps = {
      "create a": (client: OperatorContext["client"]) => maps(client).create(note("a")),
      "create b": (client: OperatorContext["client"]) => maps(client).create(note("b")),
    };
    expect((await noted(act, [], { steps })).seen).toEqual(["NotFound"]);
    const early = { type: "early", step: 2, call: 1 };
    expect((await noted(act, [early], { steps })).seen).toEqual(["done"]);
  });

  test("a call of an external system fails, is lost, or happens before a crash", async () => {
    const act = async (seen: string[], { externals }: OperatorContext) => {
      const { dns } = externals as { readonly dns: { set(host: string): Promise<void> } };
      seen.push(await outcomeOf(dns.set("tea")));
    };
    const externals = {
      dns: () => {
        const hosts: string[] = [];
        return { hosts, set: async (host: string) => void hosts.push(host) };
      },
    };
    const run = async (fault: object) => noted(act, [fault], { externals: externals as never });
    const failed = await run({ type: "refuse", call: 1, status: 500 });
    expect(failed.seen).toEqual(["InternalError"]);
    expect(failed.text).toContain('- hosts[0]: "tea"');
    expect((await run({ type: "lose", call: 1, when: "after" })).seen).toEqual(["ConnectionReset"]);
    const crashed = await run({ type: "crash", call: 1, when: "after" });
    expect(crashed.seen).toEqual(["done"]);
    expect(crashed.text).toContain('+ hosts[1]: "tea"');
  });
});

describe("leadership", () => {
  const lease = (holderIdentity: string) => ({
    metadata: { name: "leader" },
    spec: { holderIdentity, leaseDurationSeconds: 15 },
  });

  /** Takes the Lease when it is 20 s old, and works from then on. */
  const leader =
    (checks: boolean): Scenario["operator"] =>
    async ({ client, clock, identity }) => {
      const leases = client.resource(Lease, "default");
      const wait = (ms: number) => new Promise<void>((resolve) => clock.schedule(ms, resolve));
      const renew = async () => {
        const held = await leases.find("leader");
        if (held === undefined) {
          await leases.create(lease(identity));
        } else if (held.spec?.holderIdentity !== identity) {
          await wait(20_000);
          await leases.update({ ...held, spec: { holderIdentity: identity } });
        }
      };
      await renew();
      for (;;) {
        if (checks) {
          const held = await leases.find("leader");
          if (held?.spec?.holderIdentity !== identity) {
            return;
          }
        }
        await outcomeOf(maps(client).patch("a", mergePatch({ data: { leader: "yes" } })));
        await wait(5_000);
      }
    };
  const steps: Scenario["steps"] = { "do nothing": () => {} };
  const load: Scenario["load"] = [
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "default" } },
  ];

  test("a paused leader that goes on writing is found", async () => {
    const found = await explore(
      { load, steps, operator: leader(false), withinMs: 300_000, converged: () => true },
      { faults: ["pause"], runs: 0 },
    );
    expect(found.findings.map(({ kind }) => kind)).toContain("writes after leadership was lost");
  });

  test("one that looks first is not", async () => {
    const found = await explore(
      { load, steps, operator: leader(true), withinMs: 300_000, converged: () => true },
      { faults: ["pause"], runs: 0 },
    );
    expect(found.text()).toMatch(/^0 findings/);
  });

  test("a run looks at the world only when something can have changed", async () => {
    let looks = 0;
    const converged = () => {
      looks += 1;
      return true;
    };
    const replay = JSON.stringify({ steps: [1], faults: [{ type: "pause", call: 2 }] });
    const operator = leader(true);
    await explore({ load, steps, operator, withinMs: 300_000, converged }, { replay });
    expect(looks).toBeLessThan(1_000);
  });
});

test("steps keep their order when another fault moves the call of an early one", async () => {
  let taken: string[] = [];
  const step = (name: string) => async (client: OperatorContext["client"]) => {
    taken = name === "a" ? ["a"] : [...taken, name];
    await maps(client).create(note(name));
  };
  const scenario: Scenario = {
    operator: watching().operator,
    steps: { "create a": step("a"), "create b": step("b"), "create c": step("c") },
  };
  const orderWith = async (early: number) => {
    // The watch breaks after the first event: call 2 is the next one, before the second step.
    const faults = [
      { type: "cut", resource: "configmaps", event: 1, how: "break" },
      { type: "early", step: early, call: 2 },
    ];
    await explore(scenario, { replay: JSON.stringify({ steps: [1, 2, 3], faults }) });
    return taken;
  };
  expect(await orderWith(3)).toEqual(["a", "b", "c"]);
  expect(await orderWith(2)).toEqual(["a", "b", "c"]);
});

test("writes of a process that starts once more are not endless", async () => {
  const scenario: Scenario = {
    operator: async ({ client }) => {
      for await (const event of maps(client).watch()) {
        if (event.type === "ADDED" && event.object.metadata.name === "a") {
          for (const name of ["b", "c", "d"]) {
            await maps(client).apply(note(name), { fieldManager: "operator" });
          }
        }
      }
    },
    steps: { "create a": (client) => maps(client).create(note("a")) },
  };
  // The process ends twice, and starts the second time when the world has been right for two seconds.
  const faults = [4, 8].map((call) => ({ type: "lose", call, when: "after" }));
  const found = await explore(scenario, { replay: JSON.stringify({ steps: [1], faults }) });
  expect(found.text()).toMatch(/^0 findings/);
});

test("writes of a process that tries once more after a while are not endless", async () => {
  const scenario: Scenario = {
    operator: async ({ client, clock }) => {
      for (let isDone = false; !isDone; ) {
        try {
          await maps(client).apply(note("b"), { fieldManager: "operator" });
          await maps(client).apply(note("c"), { fieldManager: "operator" });
          isDone = true;
        } catch {
          await new Promise<void>((resolve) => clock.schedule(5_000, resolve));
        }
      }
      await new Promise(() => {});
    },
    steps: { "create a": (client) => maps(client).create(note("a")) },
  };
  const replay = '{"steps":[1],"faults":[{"type":"lose","call":2,"when":"after"}]}';
  expect((await explore(scenario, { replay })).text()).toMatch(/^0 findings/);
});

test("no virtual time passes for a step that only takes real time", async () => {
  const times: number[] = [];
  const scenario: Scenario = {
    operator: watching().operator,
    steps: {
      "create a": async (client, world) => {
        const beganMs = world.now;
        await new Promise((resolve) => setTimeout(resolve, 25));
        times.push(world.now - beganMs);
        await maps(client).create(note("a"));
      },
    },
  };
  const found = await explore(scenario, { runs: 0, faults: ["cut"] });
  expect(found.coverage.notExplored).not.toContainEqual(expect.stringContaining("nothing to do"));
  expect(new Set(times)).toEqual(new Set([0]));
});
