import { codecs } from "@typekube/core/internal";
import { expect, test } from "vitest";

test("a consumer gets the first events of a large chunk of JSON before the last ones are decoded", async () => {
  const data = "x".repeat(1_000);
  const lines = Array.from({ length: 1_000 }, (_, at) =>
    JSON.stringify({ type: "ADDED", object: { kind: "A", metadata: { name: `a${at}` }, data } }),
  );
  // A bad last line would be an error if everything were decoded at once.
  const chunk = Buffer.from(`${lines.join("\n")}\n{bad\n`);
  const groups: number[] = [];
  const read = async () => {
    async function* source() {
      yield chunk;
    }
    for await (const events of codecs.json.decodeWatch(source())) {
      groups.push(events.length);
    }
  };
  await expect(read()).rejects.toMatchObject({ code: "Decode" });
  expect(groups[0]).toBeLessThan(100);
  expect(groups.reduce((sum, count) => sum + count, 0)).toBe(1_000);
});
