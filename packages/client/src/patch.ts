import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";
import {
  assertKnownOptions,
  type JsonPatchBetweenOptions,
  type JsonPatchOperation,
  jsonPatchBetween,
  mediaTypes,
  mergePatchBetween,
  type OptionNames,
  strategicPatchBetween,
} from "@typekube/core/internal";
import { builtInSchema, notBuiltIn } from "./strategic-kinds.js";

export type { JsonPatchOperation } from "@typekube/core/internal";

/** A patch and the media type that says how the server reads it. */
export interface Patch<
  Kind extends "json" | "merge" | "strategic" = "json" | "merge" | "strategic",
> {
  readonly kind: Kind;
  readonly mediaType: string;
  readonly body: unknown;
}

/** A deep copy of a type in which everything may be left out, and `null` removes. */
export type MergePatchOf<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: MergePatchOf<T[K]> | null | undefined }
    : T;

/** Options of a patch made from two objects. */
export interface BetweenOptions {
  /**
   * The patch holds only for the version of the object that was read (`metadata.resourceVersion` of the first): a change
   * meanwhile is a `Conflict`. Default false.
   */
  readonly ifUnchanged?: boolean | undefined;
}

/** Makes JSON patches. */
export interface JsonPatches {
  /**
   * A JSON patch: operations in order, all or none.
   *
   * @throws {KubeError} `InvalidArgument` for a path that does not begin with a slash; servers skip what stands before it.
   */
  (operations: readonly JsonPatchOperation[]): Patch<"json">;
  /**
   * The JSON patch that makes one object of another. It can say every change. With `testValues` it holds only where the
   * values that it replaces are still there, and is refused with `Invalid` otherwise.
   *
   * @throws {KubeError} `InvalidArgument` for `ifUnchanged` with an object that has no resourceVersion.
   */
  between<T extends KubeObject>(
    before: T,
    after: T,
    options?: BetweenOptions & JsonPatchBetweenOptions,
  ): Patch<"json">;
}

/** Makes merge patches. */
export interface MergePatches {
  /** A merge patch (RFC 7386): what is there replaces, `null` removes, lists are replaced whole. */
  <T = unknown>(patch: MergePatchOf<T>): Patch<"merge">;
  /**
   * The merge patch that makes one object of another.
   *
   * @throws {KubeError} `InvalidArgument` where null would have to be set as the value of a key, which no merge patch can say;
   * `jsonPatch.between` can. Also for `ifUnchanged` with an object that has no resourceVersion.
   */
  between<T extends KubeObject>(before: T, after: T, options?: BetweenOptions): Patch<"merge">;
}

/** Makes strategic merge patches. */
export interface StrategicPatches {
  /**
   * A strategic merge patch: like a merge patch, but lists with a merge key are merged item by item. For built-in kinds
   * only; servers refuse it for custom resources.
   */
  <T = unknown>(patch: MergePatchOf<T>): Patch<"strategic">;
  /**
   * The strategic merge patch that makes one object of another, item by item where the kind's lists have a merge key. The
   * schema of the group-version is loaded with the first one.
   *
   * @throws {KubeError} `InvalidArgument` for a kind that is not built in, for two objects of different kinds, for what no
   * strategic patch can say, and for `ifUnchanged` with an object that has no resourceVersion.
   */
  between<T extends KubeObject>(
    before: T,
    after: T,
    options?: BetweenOptions,
  ): Promise<Patch<"strategic">>;
}

/** JSON patches: from operations, or with `jsonPatch.between` from two objects. */
export const jsonPatch: JsonPatches = /* @__PURE__ */ Object.assign(
  (operations: readonly JsonPatchOperation[]): Patch<"json"> => {
    assertPointers(operations);
    return { kind: "json", mediaType: mediaTypes.jsonPatch, body: operations };
  },
  {
    between: (
      before: KubeObject,
      after: KubeObject,
      options: BetweenOptions & JsonPatchBetweenOptions = {},
    ) => {
      assertBetweenOptions(options);
      const { ifUnchanged = false, testValues } = options;
      return jsonPatch([
        ...(ifUnchanged
          ? // Servers see a resourceVersion that a patch sets as the condition of an update.
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

/** Merge patches: from what is to change, or with `mergePatch.between` from two objects. */
export const mergePatch: MergePatches = /* @__PURE__ */ Object.assign(
  (patch: unknown): Patch<"merge"> => ({
    kind: "merge",
    mediaType: mediaTypes.mergePatch,
    body: patch,
  }),
  {
    between: (before: KubeObject, after: KubeObject, options: BetweenOptions = {}) => {
      assertBetweenOptions(options);
      return mergePatch(conditional(mergePatchBetween(before, after), before, options));
    },
  },
);

/** Strategic merge patches: from what is to change, or with `strategicPatch.between` from two objects. */
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

const ofBetween: OptionNames<keyof BetweenOptions | keyof JsonPatchBetweenOptions> = {
  ifUnchanged: true,
  testValues: true,
};

/** A condition that is misspelt would be none. */
function assertBetweenOptions(options: BetweenOptions): void {
  assertKnownOptions("a patch between two objects", options, ofBetween);
}

/** A merge patch with the version that it is for. */
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
      "ifUnchanged() needs an object with metadata.resourceVersion, as reads return it",
    );
  }
  return metadata.resourceVersion;
}
