import type { KubeObject, Live } from "@typekube/api";
import type { FollowEvent } from "@typekube/informer";
import { Reflector, Store } from "@typekube/informer/internal";
import { randomFrom } from "@typekube/test-support/mixed-random";
import { expect, it } from "vitest";

const colors = ["red", "green", "blue"];

function object(name: string, version: number, color: string, uid = name): Live<KubeObject> {
  const metadata = { name, uid, resourceVersion: String(version), labels: { color } };
  return { apiVersion: "v1", kind: "Thing", metadata } as unknown as Live<KubeObject>;
}

const colorOf = ({ metadata }: KubeObject) => [metadata?.labels?.["color"] ?? ""];
/** The same values from another function: another index. */
const lateColorOf = (one: KubeObject) => colorOf(one);

it("a snapshot of any events causes only the differing changes, and old and new indexes find its objects", () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = randomFrom(seed);
    const pick = (count: number) => Math.floor(random() * count);
    const store = new Store<KubeObject>();
    const reflector = new Reflector(store);
    store.addIndex(colorOf, () => {});
    let version = 1;
    let received = new Map<string, Live<KubeObject>>();
    for (let round = 0; round < 4; round++) {
      const snapshot = new Map<string, Live<KubeObject>>();
      const events: FollowEvent[] = [{ type: "gap", cause: undefined as never }];
      for (let step = pick(40); step > 0; step--) {
        const name = `o${pick(12)}`;
        const known = received.get(name);
        if (random() < 0.2) {
          snapshot.delete(name);
          events.push({ type: "deleted", object: object(name, ++version, "") });
        } else {
          const next =
            known && random() < 0.5
              ? structuredClone(known)
              : object(name, ++version, colors[pick(3)] as string, `${name}-${pick(2)}`);
          snapshot.set(name, next);
          events.push({ type: "initial", object: next });
        }
      }
      const half = pick(events.length);
      expect(reflector.take(events.slice(0, half))).toEqual([]);
      expect([...store.values()].length).toBe(received.size);
      if (round === 2) {
        store.addIndex(lateColorOf, () => {});
      }
      reflector.take(events.slice(half));
      const changes = reflector.take([{ type: "synced", resourceVersion: String(++version) }]);

      const seen = new Map(received);
      for (const change of changes) {
        const { key } = change;
        if (change.type === "delete") {
          expect([seed, change.previous]).toEqual([seed, seen.get(key)]);
          seen.delete(key);
        } else {
          const before = change.type === "add" ? undefined : change.previous;
          expect([seed, before]).toEqual([seed, seen.get(key)]);
          expect(change.object.metadata.resourceVersion).not.toBe(before?.metadata.resourceVersion);
          seen.set(key, change.object);
        }
        expect(change.type === "add" && change.initial).toBe(change.type === "add" && round === 0);
      }
      expect([seed, new Map([...store.values()].map((one) => [one.metadata.name, one]))]).toEqual([
        seed,
        snapshot,
      ]);
      expect([seed, seen]).toEqual([seed, snapshot]);
      for (const valuesOf of round >= 2 ? [colorOf, lateColorOf] : [colorOf]) {
        for (const color of colors) {
          const names = store.byIndex(valuesOf, color).map(({ metadata }) => metadata.name);
          const expected = [...snapshot.values()].filter((one) => colorOf(one)[0] === color);
          expect([seed, names.sort()]).toEqual([
            seed,
            expected.map(({ metadata }) => metadata.name).sort(),
          ]);
        }
      }
      received = seen;
    }
  }
});

it("the first snapshot makes adds only while somebody reads changes, and a later one makes its changes in any case", () => {
  for (const isListening of [true, false]) {
    const store = new Store<KubeObject>();
    const reflector = new Reflector(store, undefined, () => isListening);
    const initial = (name: string, version: number) => ({
      type: "initial" as const,
      object: object(name, version, "red"),
    });
    const first = reflector.take([
      initial("a", 1),
      initial("b", 2),
      { type: "synced", resourceVersion: "2" },
    ]);
    expect(first.map(({ type, key }) => [type, key])).toEqual(
      isListening
        ? [
            ["add", "a"],
            ["add", "b"],
          ]
        : [],
    );
    expect([...store.keys()]).toEqual(["a", "b"]);
    const later = reflector.take([
      { type: "gap", cause: undefined as never },
      initial("b", 3),
      initial("c", 4),
      { type: "synced", resourceVersion: "4" },
    ]);
    expect(later.map(({ type, key }) => [type, key])).toEqual([
      ["delete", "a"],
      ["update", "b"],
      ["add", "c"],
    ]);
  }
});
