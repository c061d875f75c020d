import { ConfigMap } from "typekube/api/core/v1";
import { describe, expect, test } from "vitest";
import { externalState } from "../../src/testing/explore/world/external-state.js";
import { explore, type OperatorContext } from "../../src/testing/index.js";

interface Zone {
  readonly name: string;
  parent: Zone | undefined;
  readonly records: string[];
}

/** A zone that refers to itself. */
function cyclic() {
  const zone: Zone = { name: "a", parent: undefined, records: [] };
  zone.parent = zone;
  return {
    zone,
    async add(record: string) {
      zone.records.push(record);
    },
  };
}

interface Node {
  next?: Node;
}

function nested(levels: number): Node {
  const first: Node = {};
  for (let last = first, level = 1; level < levels; level++) {
    last.next = {};
    last = last.next;
  }
  return first;
}

const maps = (client: OperatorContext["client"]) => client.resource(ConfigMap, "default");
const steps = {
  "create a": (client: OperatorContext["client"]) =>
    maps(client).create({ metadata: { name: "a" } }),
};

describe("CT7: an external system", () => {
  test("may refer to itself: its state is compared all the same", async () => {
    const operator = async ({
      client,
      externals,
    }: OperatorContext<{ readonly dns: ReturnType<typeof cyclic> }>) => {
      await maps(client).list();
      await externals.dns.add("www").catch(() => {});
      await new Promise(() => {});
    };
    const found = await explore(
      { steps, operator, externals: { dns: cyclic } },
      { runs: 0, faults: ["refuse"] },
    );
    expect(found.findings).toMatchObject([
      { kind: "another state", message: "external dns is not as in the run without faults" },
    ]);
    expect(found.findings[0]?.difference).toContainEqual('  - zone.records[0]: "www"');
  });

  test("has equal states with equal references only", () => {
    const [a, b, other] = [cyclic(), cyclic(), cyclic()];
    other.zone.parent = { name: "a", parent: other.zone, records: [] };
    expect(externalState(a, "dns")).toBe(externalState(b, "dns"));
    expect(externalState(other, "dns")).not.toBe(externalState(a, "dns"));
    expect(JSON.parse(externalState(other, "dns"))).toMatchObject({
      zone: { parent: { parent: "(the same object as zone)" } },
    });
    const map = new Map<string, unknown>();
    map.set("self", map).set("list", [new Set([map])]);
    expect(externalState({ map }, "dns")).toBe(
      '{"map":{"list":[["(the same object as map)"]],"self":"(the same object as map)"}}',
    );
    const itself: { self?: unknown } = {};
    itself.self = itself;
    expect(externalState(itself, "dns")).toBe('{"self":"(the system itself)"}');
  });

  test("may be nested a thousand levels deep, not more: the error names the system and the field", async () => {
    const operator = async ({ client, externals }: OperatorContext<{ readonly queue: object }>) => {
      await maps(client).list();
      await (externals.queue as { pop(): Promise<void> }).pop();
      await new Promise(() => {});
    };
    const run = (levels: number) =>
      explore(
        {
          steps,
          operator,
          externals: { queue: () => ({ items: { first: nested(levels) }, pop: async () => {} }) },
        },
        { runs: 0, faults: [] },
      );
    expect((await run(900)).findings).toEqual([]);
    await expect(run(100_000)).rejects.toThrow(
      expect.objectContaining({
        code: "InvalidArgument",
        message: expect.stringContaining(
          "externals: the state of queue is nested more than 1000 levels deep, at items.first.next.next",
        ),
        hint: "give it a method state() that returns what counts",
      }),
    );
  });

  test("is refused when its objects refer to each other in too many ways", () => {
    const nodes = Array.from({ length: 9 }, (): { peers: object[] } => ({ peers: [] }));
    for (const node of nodes) {
      node.peers = nodes.filter((other) => other !== node);
    }
    expect(() => externalState({ nodes }, "net")).toThrow(
      expect.objectContaining({
        code: "InvalidArgument",
        message: expect.stringContaining(
          "externals: the state of net has more than 100000 objects, with one for each path to it",
        ),
      }),
    );
  });

  test.each<[string, (dns: { add(): Promise<void> }) => object]>([
    ["frozen", (dns) => Object.freeze(dns)],
    [
      "of fixed properties",
      (dns) => Object.defineProperty({}, "add", { value: dns.add, enumerable: true }),
    ],
  ])("may be %s: its methods are interrupted all the same", async (_, made) => {
    const found = await explore<{ readonly dns: { add(): Promise<void> } }>(
      {
        steps,
        externals: { dns: () => made({ add: async () => {} }) as never },
        operator: async ({ client, externals }) => {
          await maps(client).list();
          await externals.dns
            .add()
            .catch(() => maps(client).create({ metadata: { name: "failed" } }));
          await new Promise(() => {});
        },
      },
      { runs: 0, faults: ["refuse"] },
    );
    expect(found.findings).toMatchObject([{ message: expect.stringContaining("default failed") }]);
  });

  test("is named when its function throws what is no error", async () => {
    const odd = Object.create(null) as object;
    await expect(
      explore({
        steps,
        operator: async () => {},
        externals: {
          dns: () => {
            throw odd;
          },
        },
      }),
    ).rejects.toMatchObject({
      code: "InvalidArgument",
      message: expect.stringContaining(
        "externals: the function of dns throws: a value that is no error",
      ),
    });
  });

  test("may hold maps whose keys are no names", () => {
    const [a, b] = [{ id: "a" }, { id: "b" }];
    const empty = Object.create(null) as object;
    expect(
      externalState(
        new Map<unknown, number>([
          [b, 2],
          [a, 1],
        ]),
        "dns",
      ),
    ).toBe('[[{"id":"a"},1],[{"id":"b"},2]]');
    expect(
      externalState(
        {
          map: new Map<unknown, number>([
            [empty, 1],
            [Symbol("x"), 2],
          ]),
        },
        "dns",
      ),
    ).toBe('{"map":[["Symbol(x)",2],[{},1]]}');
    expect(
      externalState(
        new Map([
          [2, "b"],
          [1, "a"],
        ]),
        "dns",
      ),
    ).toBe('{"1":"a","2":"b"}');
  });

  test.each<[string, object]>([
    [
      "at the top",
      {
        get zone(): string {
          throw new Error("no zone");
        },
      },
    ],
    [
      "within",
      {
        zones: [
          {
            get zone(): string {
              throw new Error("no zone");
            },
          },
        ],
      },
    ],
  ])("is named when a getter throws, %s", (_, system) => {
    expect(() => externalState(system, "dns")).toThrow(
      expect.objectContaining({
        code: "InvalidArgument",
        message: "[InvalidArgument] externals: the state of dns throws: no zone",
      }),
    );
  });

  test("may hold an invalid date", () => {
    expect(externalState({ at: new Date(Number.NaN) }, "dns")).toBe('{"at":"Invalid Date"}');
  });
});
