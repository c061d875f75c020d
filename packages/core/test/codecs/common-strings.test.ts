import { deepStrictEqual } from "node:assert/strict";
import { codecs } from "@typekube/core/internal";
import { inChunks } from "@typekube/test-support/bytes";
import { readList } from "@typekube/test-support/lists";
import { seededRandom } from "@typekube/test-support/seeded-random";
import { describe, it } from "vitest";

const objects = 2_000;
const textsOfAnObject = 12;

describe("strings that repeat", () => {
  // The tables of common and of recent strings identify a string by its beginning and its end.
  for (const codec of [codecs.protobuf, codecs.json]) {
    it(`are never mistaken for others of the same length, beginning and end (${codec.name})`, async () => {
      const random = seededRandom(7);
      const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
      const middles = ["a", "b", "é", "Ã©", "Ã", "\u0080", "中", "\u{1f600}", "xy", "ÿÿ"];
      const fresh = () => `same beginning ${pick(middles)}${pick(middles)} and the same end`;
      const items = Array.from({ length: objects }, (_, index) => {
        const own = [fresh(), fresh(), `${index}`];
        const data: Record<string, string> = {};
        for (let i = 0; i < textsOfAnObject; i++) {
          data[`k${i}`] = pick(own);
        }
        return { metadata: { name: `c${index}` }, data };
      });
      const list = { kind: "ConfigMapList", apiVersion: "v1", metadata: {}, items };
      const read = await readList(codec, inChunks(await codec.encode(list), 4096));
      deepStrictEqual(
        read.items.map((item) => (item as { data?: unknown }).data),
        items.map((item) => item.data),
      );
    });
  }
});
