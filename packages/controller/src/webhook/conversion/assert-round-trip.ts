import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { cloneJson, jsonPatchBetween } from "@typekube/core/internal";
import type { ConversionHandler } from "./conversion.js";
import { convertObject } from "./convert-object.js";

/**
 * Checks that samples survive the way to every other version and back, for tests. It also rejects converters that change
 * metadata other than labels and annotations, which the API server would undo silently.
 *
 * @param samples - objects of any version of the kind.
 * @throws {KubeError} `Invalid` that names the sample, the versions and the first field that differs.
 */
export function assertRoundTrip(handler: ConversionHandler, samples: Iterable<KubeObject>): void {
  const { group } = handler.kind;
  const versions = [handler.hub, ...handler.spokes.keys()].map((version) => `${group}/${version}`);
  let at = 0;
  for (const sample of samples) {
    for (const other of versions.filter((version) => version !== sample.apiVersion)) {
      const way = `${sample.apiVersion} to ${other}`;
      const before = cloneJson({ ...sample, metadata: sample.metadata ?? {} });
      const there = convertObject(handler, before, other, { isStrict: true });
      const back = convertObject(handler, there, String(sample.apiVersion), { isStrict: true });
      const [difference] = jsonPatchBetween(before, back);
      if (difference !== undefined) {
        throw new KubeError(
          "Invalid",
          `sample ${at} does not survive ${way} and back: ${difference.op} ${difference.path}`,
          { hint: "keep what the other version cannot say in an annotation" },
        );
      }
    }
    at += 1;
  }
}
