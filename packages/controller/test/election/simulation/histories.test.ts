import { describe, expect, test } from "vitest";
import { type History, overlapsIn, simulate } from "./history.js";

/** Histories of the quick run; `TYPEKUBE_ELECTION_HISTORIES=10000` is the long one. */
const histories = Number(process.env["TYPEKUBE_ELECTION_HISTORIES"] ?? 300);
/** First seed; each history has the next one. */
const firstSeed = Number(process.env["TYPEKUBE_ELECTION_SEED"] ?? 1);
/** Seeds that found errors: a release that emptied the lease of the same candidate after it had rejoined. */
const foundSeeds = [517];

/** Milliseconds for all histories; one takes about 20. */
const timeout = 60_000 + 500 * histories;

async function simulateAll(count: number, run: (seed: number) => Promise<History>) {
  const all: History[] = [];
  for (let n = 0; n < count; n += 1) {
    all.push(await run(firstSeed + n));
  }
  return all;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

describe("simulated histories of an election", () => {
  test("CL5, CL6, CL14, CL19: no request of a former leader starts after its deadline", {
    timeout,
  }, async () => {
    const all = await simulateAll(histories, (seed) => simulate(seed));
    console.log(
      `election histories: seeds ${firstSeed} to ${firstSeed + histories - 1}, ` +
        `${sum(all.map(({ requests }) => requests))} requests of ${sum(all.map(({ leaders }) => leaders))} leaders, ` +
        `${sum(all.map(({ losses }) => losses))} lost leases`,
    );
    const failed = all.filter(({ overlaps, problems }) => overlaps.length + problems.length > 0);
    expect(failed).toEqual([]);
    // The incidents reach what they are for.
    expect(sum(all.map(({ losses }) => losses))).toBeGreaterThan(histories);
  });

  test.each(foundSeeds)(
    "CL5, CL9: seed %i, which found an error once, finds none",
    async (seed) => {
      expect(await simulate(seed)).toMatchObject({ overlaps: [], problems: [] });
    },
  );

  test("CL5: the checker finds overlaps when leaders ignore their fence", async () => {
    const all = await simulateAll(20, (seed) => simulate(seed, "ignores the fence"));
    expect(all.filter(({ overlaps }) => overlaps.length > 0).length).toBeGreaterThan(10);
  });

  test("CL5: the checker finds a late request, an older leader and two holders of one term", () => {
    const sent = [
      { at: 0, who: "a", token: 0, ageMs: 0 },
      { at: 1, who: "a", token: 0, ageMs: 10_000 },
      { at: 2, who: "b", token: 1, ageMs: 0 },
      { at: 3, who: "a", token: 0, ageMs: 9_999 },
      { at: 4, who: "c", token: 1, ageMs: 0 },
      { at: 5, who: "b", token: 1, ageMs: 9_999 },
    ];
    expect(overlapsIn(sent)).toEqual([
      "at 1 ms a (leader number 0) sent 10000 ms after its last renewal",
      "at 3 ms a (leader number 0) sent after b (leader number 1)",
      "at 4 ms c (leader number 1) sent after b (leader number 1)",
    ]);
  });
});
