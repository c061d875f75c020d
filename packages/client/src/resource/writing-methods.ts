import type { Status } from "@typekube/core";
import type { SentWhole } from "@typekube/core/internal";
import type {
  DeleteCollectionOptions,
  DeleteOptions,
  UnsafeDeleteOptions,
} from "../options/delete-options.js";
import type {
  ApplyOptions,
  CreateOptions,
  ModifyOptions,
  ModifyOrCreateOptions,
  WriteOptions,
} from "../options/write-options.js";
import type { Patch } from "../patch/patch.js";
import type { KubeList, KubeObject, Live, PartialObjectMetadata } from "../types/api-types.js";
import type { Applied } from "../types/applied.js";
import type { Selecting } from "../types/selectable.js";
import type { Written } from "../types/written.js";
import type { ApplyResult } from "../write/apply-result.js";
import type { DeleteResult } from "../write/delete-result.js";
import type { ObjectChange } from "../write/modify.js";

/** Creates objects. */
export interface Creating<T extends KubeObject> {
  /**
   * Creates an object. Kind and apiVersion are filled in. With `metadata.generateName` instead of a name, the server
   * generates the name; when that name is taken, the client repeats the create as the server advises.
   *
   * @throws {KubeError} `AlreadyExists` when the name is taken.
   */
  create(object: Written<T> & SentWhole, options?: CreateOptions): Promise<Live<T>>;
}

/** Replaces objects. */
export interface Updating<T extends KubeObject> {
  /**
   * Replaces the whole object.
   *
   * @throws {KubeError} `Conflict` when another client changed it since the resourceVersion in `object`.
   */
  update(object: Written<T> & SentWhole, options?: WriteOptions): Promise<Live<T>>;
}

/** Reads, changes and replaces an object in one call. */
export interface Modifying<T extends KubeObject> {
  /**
   * Reads the object, lets `change` modify a copy, and writes the result with the resourceVersion that was read. Starts
   * over when another client wrote in between. Writes nothing when nothing changed.
   *
   * @param change - modifies the copy that it receives, or returns another object. May run several times.
   * @returns the object as written, or as read when nothing changed.
   * @throws {KubeError} `NotFound` unless `createIfMissing` is set; `Conflict` when every attempt met another writer.
   */
  modify(
    name: string,
    change: ObjectChange<Live<T>, T & SentWhole>,
    options?: ModifyOptions & { readonly createIfMissing?: undefined },
  ): Promise<Live<T>>;
  /**
   * Reads, changes and writes an object, or creates it from `createIfMissing` when it does not exist. `change` then
   * receives an object that is not live.
   */
  modify(
    name: string,
    change: ObjectChange<T, T & SentWhole>,
    options: ModifyOrCreateOptions<T & SentWhole>,
  ): Promise<Live<T>>;
}

/** The patches that a kind takes. Kinds with arbitrary fields, which are not built in, take no strategic merge patch. */
export type PatchFor<T> = string extends keyof T ? Patch<"json" | "merge"> : Patch;

/** Patches and applies objects. */
export interface Patching<T extends KubeObject> {
  /**
   * Applies a patch to an existing object. See `jsonPatch`, `mergePatch` and `strategicPatch` for the kinds of patches.
   *
   * @throws {KubeError} `Invalid` when a test of a JSON patch fails; `Conflict` when the patch is for another
   * resourceVersion.
   */
  patch(name: string, patch: PatchFor<T>, options?: WriteOptions): Promise<Live<T>>;
  /**
   * Server-side apply: the object's fields become what is given, and this field manager's. Kind and apiVersion are filled in.
   * `fieldManager` defaults to the `name` of the program's package.json, else to the
   * program's file name without extension, so that two programs conflict over a field instead of taking turns.
   *
   * @throws {KubeError} `Conflict` with a cause per field that another manager owns, unless `force`: see `applyConflicts`.
   */
  apply(object: Applied<T> & SentWhole, options?: ApplyOptions): Promise<Live<T>>;
  /**
   * {@link apply} that also reports whether the object was created, changed or left unchanged. It reads the object first, so it costs
   * a second request and needs the verb `get`.
   *
   * @throws {KubeError} as `apply`, and as `get` except for `NotFound`.
   */
  applyWithResult(object: Applied<T> & SentWhole, options?: ApplyOptions): Promise<ApplyResult<T>>;
}

/** Deletes single objects. */
export interface Deleting<T extends KubeObject> {
  /**
   * Deletes one object. The result is `deleted`, or `terminating` while a finalizer or a grace period holds the object.
   *
   * @throws {KubeError} `Conflict` when a precondition does not hold.
   */
  delete(name: string, options?: DeleteOptions | UnsafeDeleteOptions): Promise<DeleteResult<T>>;
}

/** Deletes collections. */
export interface DeletingCollections<T extends KubeObject> {
  /** Deletes the selected objects one by one, not as a transaction. */
  deleteCollection(
    options?: Selecting<T, DeleteCollectionOptions>,
  ): Promise<KubeList<Live<T>> | Status>;
}

/** Patches objects and returns their metadata only. */
export interface PatchingMetadata {
  /** Patches an object by its name and returns the metadata of the result. */
  patch(name: string, patch: Patch, options?: WriteOptions): Promise<Live<PartialObjectMetadata>>;
}
