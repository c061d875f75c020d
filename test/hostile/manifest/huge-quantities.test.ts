import { Pod } from "@typekube/api/core/v1";
import { parseQuantity } from "@typekube/core/quantity";
import { describe, expect, it } from "vitest";
import { startApiServer } from "../../../packages/apiserver/src/api-server/start-api-server.js";
import { canonicalQuantity } from "../../../packages/apiserver/src/objects/canonical-quantity.js";

const huge = [
  "1e9999999",
  "1e999999999",
  "1E99999999999999999999",
  "1e-9999999",
  "1e-999999999",
  "-1e9999999",
  ".1e1001",
  "1e-1001",
  "9".repeat(1_000_000),
  `0.${"0".repeat(1_000_000)}1`,
  `1e${"9".repeat(100_000)}`,
];

describe("quantities too large to compute with", () => {
  it.each(huge.map((text) => [text.slice(0, 24), text]))(
    "%s is rejected as a quantity immediately",
    (_, text) => {
      const before = process.cpuUsage();
      expect(parseQuantity(text)).toBeUndefined();
      expect(canonicalQuantity(text)).toBe(text);
      expect(process.cpuUsage(before).user / 1000).toBeLessThan(100);
    },
  );

  // Expected texts come from apimachinery 0.37's resource.ParseQuantity.
  it.each([
    ["1e30", "1e30"],
    ["1e100", "10e99"],
    ["12e22", "120e21"],
    ["1e1000", "10e999"],
    ["123e-5", "1230e-6"],
    ["1e-99", "1e-9"],
    ["-1e-99", "-1e-9"],
    ["0e999", "0"],
    ["1e+3", "1e+3"],
  ])("%s within the limit becomes %s, as in the server", (text, canonical) => {
    expect(canonicalQuantity(text)).toBe(canonical);
  });

  it("the server rejects a create with such a quantity and still handles other requests", async () => {
    await using api = await startApiServer();
    await using client = await api.client();
    const pods = client.resource(Pod, "default");
    for (const memory of huge) {
      const creating = pods.create({
        metadata: { name: "a" },
        spec: { containers: [{ name: "c", image: "i", resources: { limits: { memory } } }] },
      });
      await expect(creating).rejects.toMatchObject({ code: "BadRequest" });
    }
    expect((await pods.list()).items).toEqual([]);
  });
});
