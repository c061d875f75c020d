import type { ResourceDescriptor } from "@typekube/api";
import type { SchemaTable } from "@typekube/api/schema";
import { KubeError } from "@typekube/core";

/**
 * Rejects values that are not a patch, and strategic patches of kinds that are not built in, before the server does.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export async function assertTakesPatch(
  { apiVersion, kind, protobuf }: Pick<ResourceDescriptor, "apiVersion" | "kind" | "protobuf">,
  patch: { readonly body: unknown; readonly kind: string; readonly mediaType: string },
): Promise<void> {
  if (!patch?.mediaType || patch.body === undefined) {
    throw new KubeError("InvalidArgument", "the patch has no type", {
      hint: "create it with mergePatch({ ... }), jsonPatch([ ... ]) or strategicPatch({ ... })",
    });
  }
  if (patch.kind === "strategic" && !protobuf && !(await builtInSchema(apiVersion))) {
    throw notBuiltIn(apiVersion, kind);
  }
}

/** Returns the schema of a built-in group-version, loaded on first use; `undefined` for any other. */
export async function builtInSchema(apiVersion: string): Promise<SchemaTable | undefined> {
  const { loadSchema } = await import("@typekube/api/schema");
  return loadSchema(apiVersion);
}

/** Builds the error for a strategic patch of a kind that does not take one. */
export function notBuiltIn(apiVersion: string, kind: string): KubeError {
  return new KubeError(
    "InvalidArgument",
    `${kind} in ${apiVersion} is not built in, and only built-in kinds take a strategic merge patch`,
    { hint: "use mergePatch, jsonPatch or apply" },
  );
}
