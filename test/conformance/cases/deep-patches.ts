import assert from "node:assert/strict";
import { mediaTypes } from "@typekube/core/internal";
import type { ConformanceCase } from "../conformance-case.js";
import {
  customDefinition,
  customGroup,
  customResource,
  version,
} from "../support/custom-resources.js";
import { rawRequest } from "../support/raw-request.js";

const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const deeps = customDefinition("Deep", [version(open)]);

/** Nesting levels of a value: up to the clients' default limit, and beyond. */
const depths = [500, 501, 1_000, 1_900];

/** Cases for JSON patches that add deeply nested values. */
export const deepPatches: readonly ConformanceCase[] = depths.map((depth) => ({
  id: `deep-patch-${depth}`,
  name: `custom: a JSON patch adds a value of ${depth} nested levels`,
  needs: ["crd"],
  async run(context) {
    const resource = await customResource(context, deeps);
    await resource.create({ metadata: { name: "a" } });
    const value = "[".repeat(depth) + "]".repeat(depth);
    const { status, text } = await rawRequest(context, {
      method: "PATCH",
      path: `/apis/${customGroup}/v1/namespaces/${context.namespace}/deeps/a?dryRun=All`,
      contentType: mediaTypes.jsonPatch,
      body: `[{"op":"add","path":"/x","value":${value}}]`,
    });
    assert.equal(status, 200);
    assert.ok(text.includes(`"x":${value}`));
  },
}));
