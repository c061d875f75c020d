import { expect, it } from "vitest";
import { joinedChunks } from "../../src/pod-files/joined-chunks.js";

const kib = 1024;

async function* of(...sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (const [index, size] of sizes.entries()) {
    yield Buffer.alloc(size, index);
  }
}

/** Returns the sizes of the joined chunks, after checking that their bytes are those of the given ones. */
async function joinedSizes(...sizes: readonly number[]): Promise<number[]> {
  const joined: Uint8Array[] = [];
  for await (const chunk of joinedChunks(of(...sizes))) {
    joined.push(chunk);
  }
  const given = sizes.map((size, index) => Buffer.alloc(size, index));
  expect(Buffer.concat(joined).equals(Buffer.concat(given))).toBe(true);
  return joined.map(({ byteLength }) => byteLength);
}

it("small chunks become one message, up to 32 KiB", async () => {
  expect(await joinedSizes(512, 1_000, 24)).toEqual([1_536]);
  expect(await joinedSizes(20 * kib, 12 * kib, 1)).toEqual([32 * kib, 1]);
  expect(await joinedSizes(20 * kib, 13 * kib)).toEqual([20 * kib, 13 * kib]);
});

it("large chunks stay as they are, in their place", async () => {
  expect(await joinedSizes(512, 100 * kib, 24, 512)).toEqual([512, 100 * kib, 536]);
});

it("nothing stays nothing", async () => {
  expect(await joinedSizes()).toEqual([]);
  expect(await joinedSizes(0, 0)).toEqual([]);
});
