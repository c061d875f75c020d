import { builtInResources } from "@typekube/api/resources";
import { loadSchema } from "@typekube/api/schema";
import { jsonPatch, mergePatch, type Patch, strategicPatch } from "@typekube/client";
import { KubeError } from "@typekube/core";
import { cloneJson, codecs, jsonEqual } from "@typekube/core/internal";
import { seededRandom } from "@typekube/test-support/seeded-random";
import { describe, expect, it } from "vitest";
import {
  applyJsonPatch,
  type JsonPatchOperation,
} from "../../../apiserver/src/phases/patch/json-patch.js";
import { applyMergePatch } from "../../../apiserver/src/phases/patch/merge-patch.js";
import { applyStrategicMergePatch } from "../../../apiserver/src/phases/patch/strategic-merge-patch.js";
import { typeNode } from "../../../apiserver/src/schema/schema-node.js";
import { randomObjects } from "../helpers/random-objects.js";

const roundsPerKind = 8;

/** Returns the patch as it arrives: encoded and decoded again. */
async function arrived({ body }: Patch): Promise<unknown> {
  return codecs.json.decode(await codecs.json.encode(body));
}

describe("UPD8: the patch between two objects turns one into the other", () => {
  it("for each kind of patch, and random objects of every built-in kind", async () => {
    const counts = { kinds: 0, pairs: 0, changed: 0, unsayable: 0 };
    for (const { apiVersion, kind } of builtInResources) {
      const table = await loadSchema(apiVersion);
      if (table === undefined || !Object.hasOwn(table.types, kind)) {
        continue;
      }
      counts.kinds += 1;
      const node = typeNode(table, kind);
      for (let round = 0; round < roundsPerKind; round++) {
        const seed = counts.pairs++;
        const objects = randomObjects(seededRandom(seed));
        const before = { ...objects.object(table, kind), apiVersion };
        const after = { ...objects.changed(table, kind, before), apiVersion };
        const unchanged = cloneJson(before);
        const wanted = cloneJson(after);
        const where = `seed ${seed}, ${kind} in ${apiVersion}`;
        counts.changed += jsonEqual(before, after) ? 0 : 1;

        const operations = (await arrived(
          await jsonPatch.between(before, after),
        )) as JsonPatchOperation[];
        expect(applyJsonPatch(before, operations), `json, ${where}`).toEqual(wanted);
        expect(jsonEqual(applyJsonPatch(before, operations), wanted), `json, ${where}`).toBe(true);
        const tested = await arrived(await jsonPatch.between(before, after, { testValues: true }));
        expect(
          applyJsonPatch(before, tested as JsonPatchOperation[]),
          `json with tests, ${where}`,
        ).toEqual(wanted);

        const merged = await arrived(await mergePatch.between(before, after));
        expect(applyMergePatch(before, merged), `merge, ${where}`).toEqual(wanted);
        expect(jsonEqual(applyMergePatch(before, merged), wanted), `merge, ${where}`).toBe(true);

        const patch = await strategicPatch.between(before, after).catch((error: unknown) => {
          if (error instanceof KubeError && error.code === "InvalidArgument") {
            counts.unsayable += 1;
            return undefined;
          }
          throw error;
        });
        if (patch !== undefined) {
          const outcome = applyStrategicMergePatch(before, await arrived(patch), node);
          expect(outcome, `strategic, ${where}`).toEqual(wanted);
          expect(jsonEqual(outcome, wanted), `strategic, ${where}`).toBe(true);
        }
        expect(before, `left alone, ${where}`).toEqual(unchanged);
      }
    }
    console.log(
      `UPD8: ${counts.pairs} pairs of ${counts.kinds} kinds, ${counts.changed} with changes, ` +
        `${counts.unsayable} that no strategic patch can say`,
    );
    expect(counts.pairs).toBeGreaterThanOrEqual(500);
    expect(counts.unsayable).toBeLessThan(counts.pairs / 50);
  }, 480_000);
});
