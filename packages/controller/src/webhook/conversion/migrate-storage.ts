import type { KubeObject, Live, ResourceDescriptor } from "@typekube/api";
import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import { type ClientCore, mergePatch } from "@typekube/client";
import { contextOf, resourceOf } from "@typekube/client/internal";
import { isConflict, isExpired, isNotFound, KubeError } from "@typekube/core";
import {
  assertOptions,
  callback,
  integerFrom,
  type OptionTable,
  text,
} from "@typekube/core/internal";

/** Objects of a page. (client-go `tools/pager`: 500) */
const defaultPageSize = 500;
/** Objects that are written at once. */
const writesAtOnce = 8;

/** Progress of {@link migrateStorage}. */
export interface MigrationProgress {
  /** Objects rewritten so far. */
  readonly rewritten: number;
  /** Continues after the last complete page; `undefined` after the last one. */
  readonly continue: string | undefined;
}

/** Options of {@link migrateStorage}. */
export interface MigrateStorageOptions {
  /** Objects of a page. Default 500. */
  readonly pageSize?: number | undefined;
  /** Continues a migration that was interrupted, with the value of its last progress. Default: from the start. */
  readonly continue?: string | undefined;
  /** Called after each page. */
  readonly onProgress?: ((progress: MigrationProgress) => void) | undefined;
  /** Ends the migration; it can be continued. */
  readonly signal?: AbortSignal | undefined;
}

/** Result of {@link migrateStorage}. */
export interface StorageMigration {
  /** Objects that were rewritten. */
  readonly rewritten: number;
  /** The one version that is stored now. */
  readonly storedVersion: string;
}

const migrateStorageOptions: OptionTable<MigrateStorageOptions> = {
  continue: text,
  onProgress: callback,
  pageSize: integerFrom(1),
  signal: true,
};

/**
 * Rewrites all objects of a custom resource, so that all are stored in its storage version, and then removes the other
 * versions from `status.storedVersions`. Only then may a version be removed from the definition. Objects that others
 * write or delete at the same time need no rewrite.
 *
 * @throws {KubeError} `NotFound` without the definition; `InvalidState` when the storage version changes meanwhile.
 */
export async function migrateStorage(
  client: ClientCore,
  kind: ResourceDescriptor,
  options: MigrateStorageOptions = {},
): Promise<StorageMigration> {
  assertOptions("migrateStorage()", options, migrateStorageOptions);
  const { signal } = options;
  const name = `${kind.plural}.${kind.group}`;
  const definitions = resourceOf(contextOf(client), CustomResourceDefinition);
  const storedVersion = storageVersionOf(await definitions.get(name, { signal }));
  const rewritten = await rewriteAll(client, kind, options);
  const definition = await definitions.get(name, { signal });
  if (storageVersionOf(definition) !== storedVersion) {
    throw new KubeError("InvalidState", `the storage version of ${name} changed meanwhile`, {
      hint: "call migrateStorage() again",
    });
  }
  const { resourceVersion } = definition.metadata;
  await definitions.status.patch(
    name,
    mergePatch({ metadata: { resourceVersion }, status: { storedVersions: [storedVersion] } }),
    { signal },
  );
  return { rewritten, storedVersion };
}

function storageVersionOf({ metadata, spec }: Live<CustomResourceDefinition>): string {
  const version = spec.versions.find(({ storage }) => storage)?.name;
  if (version === undefined) {
    throw new KubeError("InvalidState", `${metadata.name} has no storage version`);
  }
  return version;
}

async function rewriteAll(
  client: ClientCore,
  kind: ResourceDescriptor,
  options: MigrateStorageOptions,
): Promise<number> {
  const { pageSize = defaultPageSize, onProgress, signal } = options;
  const all = resourceOf(contextOf(client), kind as ResourceDescriptor<KubeObject>);
  let rewritten = 0;
  let token = options.continue;
  do {
    const page = await all
      .list({ limit: pageSize, continue: token, signal })
      .catch((error: unknown) => {
        // The rest of an expired list is read in its present state.
        const next = isExpired(error)
          ? KubeError.from(error).status?.metadata?.continue
          : undefined;
        if (!next) {
          throw error;
        }
        return all.list({ limit: pageSize, continue: next, signal });
      });
    for (let at = 0; at < page.items.length; at += writesAtOnce) {
      const items = page.items.slice(at, at + writesAtOnce);
      const results = await Promise.all(items.map((item) => rewrite(client, kind, item, signal)));
      rewritten += results.filter(Boolean).length;
    }
    token = page.metadata.continue || undefined;
    onProgress?.({ rewritten, continue: token });
  } while (token !== undefined);
  return rewritten;
}

/** Writes an object as it is. Returns `false` when somebody else wrote or deleted it. */
async function rewrite(
  client: ClientCore,
  kind: ResourceDescriptor,
  item: KubeObject,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const namespace = item.metadata?.namespace;
  const objects = resourceOf(
    contextOf(client),
    kind as ResourceDescriptor<KubeObject>,
    ...(namespace === undefined ? [] : [namespace]),
  );
  try {
    await objects.update(item, { signal });
    return true;
  } catch (error) {
    if (isConflict(error) || isNotFound(error)) {
      return false;
    }
    throw error;
  }
}
