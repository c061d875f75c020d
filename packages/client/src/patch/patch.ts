import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";
import {
  assertKnownOptions,
  type JsonPatchBetweenOptions,
  type JsonPatchOperation,
  jsonPatchBetween,
  mediaTypes,
  mergePatchBetween,
  type OptionTable,
  strategicPatchBetween,
} from "@typekube/core/internal";
import { builtInSchema, notBuiltIn } from "./strategic-kinds.js";

export type { JsonPatchOperation } from "@typekube/core/internal";

/** A patch, and the media type that determines how the server reads it. */
export interface Patch<
  Kind extends "json" | "merge" | "strategic" = "json" | "merge" | "strategic",
> {
  /** Type of the patch. */
  readonly kind: Kind;
  /** Content-Type of the request. */
  readonly mediaType: string;
  /** The patch itself: a list of operations for a JSON patch, otherwise an object. */
  readonly body: unknown;
}

/** Makes every field of a type optional at any depth; `null` removes a field. */
export type MergePatchOf<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: MergePatchOf<T[K]> | null | undefined }
    : T;

/** Options of a patch built from two objects. */
export interface BetweenOptions {
  /**
   * Makes the patch conditional on `metadata.resourceVersion` of the first object: a change in between is a `Conflict`.
   * Default false.
   */
  readonly ifUnchanged?: boolean | undefined;
}

const betweenOptions: OptionTable<BetweenOptions | JsonPatchBetweenOptions> = {
  ifUnchanged: true,
  testValues: true,
};

/** Builds JSON patches. */
export interface JsonPatches {
  /**
   * Builds a JSON patch: operations applied in order, all or none.
   *
   * @throws {KubeError} `InvalidArgument` for a path that does not begin with a slash; servers ignore the part before
   * the slash.
   */
  (operations: readonly JsonPatchOperation[]): Patch<"json">;
  /**
   * Builds the JSON patch that turns one object into another. A JSON patch can express every change. With `testValues`
   * the server applies it only while the values that it replaces are unchanged, and otherwise rejects it with
   * `Invalid`.
   *
   * @throws {KubeError} `InvalidArgument` for `ifUnchanged` with an object that has no resourceVersion.
   */
  between<T extends KubeObject>(
    before: T,
    after: T,
    options?: BetweenOptions & JsonPatchBetweenOptions,
  ): Promise<Patch<"json">>;
}

/** Builds merge patches. */
export interface MergePatches {
  /** Builds a merge patch (RFC 7386): given fields replace, `null` removes, lists are replaced as a whole. */
  <T = unknown>(patch: MergePatchOf<T>): Patch<"merge">;
  /**
   * Builds the merge patch that turns one object into another.
   *
   * @throws {KubeError} `InvalidArgument` when a key would have to be set to null, which a merge patch cannot express
   * (`jsonPatch.between` can), and for `ifUnchanged` with an object that has no resourceVersion.
   */
  between<T extends KubeObject>(
    before: T,
    after: T,
    options?: BetweenOptions,
  ): Promise<Patch<"merge">>;
}

/** Builds strategic merge patches. */
export interface StrategicPatches {
  /**
   * Builds a strategic merge patch: like a merge patch, but lists with a merge key are merged item by item. For
   * built-in kinds only; servers reject it for custom resources.
   */
  <T = unknown>(patch: MergePatchOf<T>): Patch<"strategic">;
  /**
   * Builds the strategic merge patch that turns one object into another, item by item for lists with a merge key. Loads
   * the schema of the group-version on first use.
   *
   * @throws {KubeError} `InvalidArgument` for a kind that is not built in, for two objects of different kinds, for a
   * change that no strategic patch can express, and for `ifUnchanged` with an object that has no resourceVersion.
   */
  between<T extends KubeObject>(
    before: T,
    after: T,
    options?: BetweenOptions,
  ): Promise<Patch<"strategic">>;
}

/** Builds JSON patches: from operations, or with `jsonPatch.between` from two objects. */
export const jsonPatch: JsonPatches = /* @__PURE__ */ Object.assign(
  (operations: readonly JsonPatchOperation[]): Patch<"json"> => {
    assertPointers(operations);
    return { kind: "json", mediaType: mediaTypes.jsonPatch, body: operations };
  },
  {
    between: async (
      before: KubeObject,
      after: KubeObject,
      options: BetweenOptions & JsonPatchBetweenOptions = {},
    ) => {
      assertBetweenOptions(options);
      const { ifUnchanged = false, testValues } = options;
      return jsonPatch([
        ...(ifUnchanged
          ? // Servers treat a resourceVersion set by a patch as the precondition of the update.
            [
              {
                op: "replace",
                path: "/metadata/resourceVersion",
                value: versionOf(before),
              } as const,
            ]
          : []),
        ...jsonPatchBetween(before, after, { testValues }),
      ]);
    },
  },
);

/** Builds merge patches: from changes, or with `mergePatch.between` from two objects. */
export const mergePatch: MergePatches = /* @__PURE__ */ Object.assign(
  (patch: unknown): Patch<"merge"> => ({
    kind: "merge",
    mediaType: mediaTypes.mergePatch,
    body: patch,
  }),
  {
    between: async (before: KubeObject, after: KubeObject, options: BetweenOptions = {}) => {
      assertBetweenOptions(options);
      return mergePatch(conditional(mergePatchBetween(before, after), before, options));
    },
  },
);

/** Builds strategic merge patches: from changes, or with `strategicPatch.between` from two objects. */
export const strategicPatch: StrategicPatches = /* @__PURE__ */ Object.assign(
  (patch: unknown): Patch<"strategic"> => ({
    kind: "strategic",
    mediaType: mediaTypes.strategicMergePatch,
    body: patch,
  }),
  {
    between: async (before: KubeObject, after: KubeObject, options: BetweenOptions = {}) => {
      assertBetweenOptions(options);
      const { apiVersion, kind } = before;
      if (
        apiVersion === undefined ||
        kind === undefined ||
        (after.kind ?? kind) !== kind ||
        (after.apiVersion ?? apiVersion) !== apiVersion
      ) {
        throw new KubeError(
          "InvalidArgument",
          "strategicPatch.between() needs two objects of the same apiVersion and kind, set on the first",
        );
      }
      const table = await builtInSchema(apiVersion);
      if (table === undefined) {
        throw notBuiltIn(apiVersion, kind);
      }
      const same = { ...after, apiVersion, kind };
      const patch = strategicPatchBetween(before, same, table, kind);
      return strategicPatch(conditional(patch, before, options));
    },
  },
);

function assertPointers(operations: readonly JsonPatchOperation[]): void {
  if (!Array.isArray(operations)) {
    throw new KubeError("InvalidArgument", "a JSON patch must be an array of operations");
  }
  for (const { path, ...more } of operations) {
    const pointers: unknown[] = "from" in more ? [path, more.from] : [path];
    if (!pointers.every((pointer) => typeof pointer === "string" && /^(\/|$)/.test(pointer))) {
      throw new KubeError("InvalidArgument", "a path in a JSON patch must begin with a slash", {
        hint: 'as in "/metadata/labels/app.kubernetes.io~1name", with "~1" for "/" and "~0" for "~" in a name',
      });
    }
  }
}

/** Rejects unknown options: a misspelled condition would have no effect. */
function assertBetweenOptions(options: BetweenOptions): void {
  assertKnownOptions("a patch between two objects", options, betweenOptions);
}

/** Adds the resourceVersion that a merge patch is conditional on. */
function conditional(
  patch: Record<string, unknown>,
  before: KubeObject,
  { ifUnchanged }: BetweenOptions,
): Record<string, unknown> {
  if (!ifUnchanged) {
    return patch;
  }
  const metadata = { ...(patch["metadata"] as object), resourceVersion: versionOf(before) };
  return { ...patch, metadata };
}

function versionOf({ metadata }: KubeObject): string {
  if (metadata?.resourceVersion === undefined) {
    throw new KubeError(
      "InvalidArgument",
      "ifUnchanged needs an object with metadata.resourceVersion, as returned by a read",
    );
  }
  return metadata.resourceVersion;
}
