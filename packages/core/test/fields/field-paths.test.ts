import { type FieldPath, KubeError, parseFieldPath, printFieldPath, valueAt } from "@typekube/core";
import { seededRandom } from "@typekube/test-support/seeded-random";
import { describe, expect, it } from "vitest";

const containers = { field: "containers" };
const printed: [string, FieldPath][] = [
  [".spec.replicas", [{ field: "spec" }, { field: "replicas" }]],
  [
    '.spec.containers[name="web"].image',
    [{ field: "spec" }, containers, { keys: { name: "web" } }, { field: "image" }],
  ],
  [
    '.spec.ports[port=80,protocol="TCP"]',
    [{ field: "spec" }, { field: "ports" }, { keys: { port: 80, protocol: "TCP" } }],
  ],
  [
    '.metadata.finalizers[="x.io/a"]',
    [{ field: "metadata" }, { field: "finalizers" }, { value: "x.io/a" }],
  ],
  [".spec.numbers[=1]", [{ field: "spec" }, { field: "numbers" }, { value: 1 }]],
  [".spec.list[3]", [{ field: "spec" }, { field: "list" }, { index: 3 }]],
];

describe("SSA8: field paths as servers print them", () => {
  it.each(printed)("prints and parses the path %s", (text, path) => {
    expect(printFieldPath(path)).toBe(text);
    expect(parseFieldPath(text)).toEqual(path);
  });

  it("prints keys in order, whatever their order in the path", () => {
    expect(printFieldPath([{ keys: { protocol: "TCP", port: 80 } }])).toBe(
      '[port=80,protocol="TCP"]',
    );
  });

  it("ends a name with dots where the object's key ends", () => {
    const object = {
      metadata: {
        labels: { app: "x", "app.kubernetes.io/name": "y", "app.kubernetes": { io: 1 } },
      },
    };
    const text = ".metadata.labels.app.kubernetes.io/name";
    const path = parseFieldPath(text, object);
    expect(path.at(-1)).toEqual({ field: "app.kubernetes.io/name" });
    expect(valueAt(object, path)).toBe("y");
    expect(parseFieldPath(text)).toHaveLength(5);
    expect(printFieldPath(path)).toBe(text);
    expect(printFieldPath(path, { quoteNames: true })).toBe(
      '.metadata.labels["app.kubernetes.io/name"]',
    );
    expect(valueAt(object, parseFieldPath(".metadata.labels.app.kubernetes.io", object))).toBe(1);
  });

  it("accepts any text in keys, including Go's escapes", () => {
    const path = [{ keys: { name: 'a"],b=\\' } }];
    expect(parseFieldPath(printFieldPath(path))).toEqual(path);
    expect(parseFieldPath(String.raw`[name="\x07\U0001f680\a"]`)).toEqual([
      { keys: { name: "\u0007🚀\u0007" } },
    ]);
  });

  it("keeps the digits of large integers", () => {
    expect(parseFieldPath("[=9007199254740993]")).toEqual([{ value: 9007199254740993n }]);
  });

  it.each(["spec", ".", "..a", ".a[", '.a["]', ".a[=]", ".a[b]", '.a[b=c"]'])(
    "rejects %s as a field path",
    (text) => {
      expect(() => parseFieldPath(text)).toThrow(KubeError);
    },
  );

  it("parses what it printed with quoted names, whatever the names are", () => {
    const random = seededRandom(7);
    const names = ["a", "a.b", "a[0]", 'q"q', "", "ü", "x=1", "__proto__", "a\nb"];
    const int = (below: number) => Math.floor(random() * below);
    const name = () => names[int(names.length)] as string;
    for (let round = 0; round < 500; round++) {
      const path: FieldPath = Array.from({ length: 1 + int(5) }, () => {
        switch (int(5)) {
          case 0:
            return { keys: { name: name(), port: int(100) } };
          case 1:
            return { value: name() };
          case 2:
            return { index: int(10) };
          default:
            return { field: name() };
        }
      });
      const text = printFieldPath(path, { quoteNames: true });
      expect(parseFieldPath(text), text).toEqual(path);
    }
  });
});

describe("the value at a path", () => {
  const object = {
    spec: {
      ports: [
        { port: 53, protocol: "TCP", name: "t" },
        { port: 53, protocol: "UDP", name: "u" },
        { port: 80, name: "d" },
      ],
      set: ["a", "b"],
    },
  };

  it.each([
    ['.spec.ports[port=53,protocol="UDP"].name', "u"],
    ['.spec.set[="b"]', "b"],
    [".spec.set[0]", "a"],
    ['.spec.set[="c"]', undefined],
    [".spec.set[2]", undefined],
    [".spec.toString", undefined],
    [".spec.ports.port", undefined],
    [".nothing.at.all", undefined],
    ['.spec.ports[port=80,protocol="TCP"].name', "d"],
    ['.spec.ports[port=80,protocol="UDP"].name', "d"],
    ['.spec.ports[port=81,protocol="TCP"].name', undefined],
  ])("reads the value at %s, or undefined where it is missing", (text, value) => {
    expect(valueAt(object, parseFieldPath(text, object))).toEqual(value);
  });
});
