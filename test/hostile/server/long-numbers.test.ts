import { parseFieldPath, parseManifests } from "@typekube/core";
import { codecs, defaultLimits } from "@typekube/core/internal";
import { chunksOf, flat } from "@typekube/test-support/bytes";
import { failure, thrown } from "@typekube/test-support/failure";
import { readList } from "@typekube/test-support/lists";
import { describe, expect, it } from "vitest";

const { json } = codecs;

/** Forms of numbers, of any length. */
const forms: Readonly<Record<string, (length: number) => string>> = {
  integer: (length) => "1".repeat(length),
  "negative integer": (length) => `-${"9".repeat(length - 1)}`,
  "integer with a fraction": (length) => `${"1".repeat(length - 2)}.5`,
  "integer with an exponent": (length) => `${"1".repeat(length - 3)}e-9`,
};

const readers: Readonly<Record<string, (number: string) => Promise<unknown>>> = {
  object: (number) => json.decode(Buffer.from(`{"a":${number}}`)),
  list: (number) => {
    const items = `{"metadata":{"name":"a"},"n":1},{"metadata":{"name":"b"},"n":${number}}`;
    return readList(json, chunksOf(`{"kind":"XList","apiVersion":"x/v1","items":[${items}]}`));
  },
  "list head": (number) => readList(json, chunksOf(`{"kind":"XList","n":${number},"items":[]}`)),
  watch: (number) => {
    const event = (n: string) => `{"type":"ADDED","object":{"kind":"X","n":${n}}}\n`;
    return flat(json.decodeWatch(chunksOf(event("1") + event("2") + event(number))));
  },
};

/** Returns the CPU milliseconds of the cheapest of three runs; others may be disturbed by the rest of the machine. */
async function cheapest(run: () => Promise<unknown>): Promise<number> {
  const costs: number[] = [];
  for (let at = 0; at < 3; at++) {
    const before = process.cpuUsage();
    await run();
    costs.push(process.cpuUsage(before).user / 1000);
  }
  return Math.min(...costs);
}

describe.each(Object.entries(readers))("an overlong JSON number, in a %s", (_, read) => {
  it.each(Object.entries(forms))(
    "fails with TooLarge above maxNumberLength: %s",
    async (_, form) => {
      const error = await failure(read(form(defaultLimits.maxNumberLength + 1)));
      expect(error.code).toBe("TooLarge");
      expect(error.message).toContain("limits.maxNumberLength");
      await read(form(defaultLimits.maxNumberLength));
    },
  );

  it.each([4_000_000, 8_000_000])(
    "of %i digits costs no more than short numbers",
    async (digits) => {
      const number = "1".repeat(digits);
      const short = await cheapest(() => read(`[${"1,".repeat(digits / 2)}1]`));
      const rejected = await cheapest(async () => {
        expect((await failure(read(number))).code).toBe("TooLarge");
      });
      // A rejected number costs about 0.7 of as many bytes of short ones, a converted one 15 times as much.
      expect(rejected).toBeLessThan(4 * short);
    },
  );
});

describe("long runs of digits that are not numbers", () => {
  it("in strings and keys survive JSON unchanged", async () => {
    const digits = "1".repeat(100_000);
    const value = { a: digits, [digits]: `: ${digits}`, n: 9007199254740993n };
    expect(await json.decode(await json.encode(value))).toEqual(value);
  });
});

it("a long number is a KubeError in a path, and text in a manifest, as in Go", async () => {
  const digits = "1".repeat(4_000_000);
  expect((await thrown(() => parseFieldPath(`.a[=${digits}]`))).code).toBe("TooLarge");
  const short = digits.slice(0, 5_000);
  expect((await thrown(() => parseFieldPath(`.a[=${short}]`))).code).toBe("InvalidArgument");
  const text = `kind: A\napiVersion: v1\nsize: ${digits}\n`;
  const [object] = (await parseManifests(text)) as readonly { size?: unknown }[];
  expect(object?.size === digits).toBe(true);
});

it("limits.maxNumberLength limits a JSON number", async () => {
  const body = Buffer.from(`{"a":${"1".repeat(40)}}`);
  const limits = { maxNumberLength: 30 };
  expect((await failure(json.decode(body, { limits }))).code).toBe("TooLarge");
  await json.decode(body, { limits: { maxNumberLength: 40 } });
});
