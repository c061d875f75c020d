import type { Live } from "@typekube/api";
import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import type { ClientContext } from "@typekube/client/internal";
import { resourceOf } from "@typekube/client/internal";
import { isAlreadyExists, isConflict, KubeError } from "@typekube/core";
import type { JsonObject } from "@typekube/core/internal/json";
import { compareDefinitions } from "../compare/compare-definitions.js";
import type { InstallOptions } from "./install-options.js";

/** Annotation with the revision of the program that installed a definition. */
export const revisionAnnotation = "typekube.dev/revision";
/** Writes of one definition that may meet another writer. */
const maxAttempts = 20;

interface WriteOptions extends InstallOptions {
  /** True to keep the live conversion where the manifest has none. */
  readonly keepsConversion: boolean;
}

/** Outcome of an installation. `newer`: a later revision is installed, and stays. */
export type InstallResult = "created" | "newer" | "unchanged" | "updated";

/**
 * Creates or updates a definition. Another writer in between, such as another replica, makes it look again.
 *
 * @throws {KubeError} `Conflict` for a breaking change without `force`, and when every attempt met another writer.
 */
export async function writeDefinition(
  context: ClientContext,
  manifest: CustomResourceDefinition,
  options: WriteOptions,
): Promise<InstallResult> {
  const definitions = resourceOf(context, CustomResourceDefinition, undefined);
  const name = manifest.metadata?.name ?? "";
  const { signal, fieldManager } = options;
  const write = { signal, fieldManager };
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const live = await definitions.find(name, { signal });
    try {
      if (live === undefined) {
        await definitions.create(withRevision(manifest, options), write);
        return "created";
      }
      const next = nextDefinition(live, manifest, options);
      if (typeof next === "string") {
        return next;
      }
      await definitions.update(next, write);
      return "updated";
    } catch (error) {
      const isRace = (isConflict(error) && error.status !== undefined) || isAlreadyExists(error);
      if (!isRace) {
        throw error;
      }
    }
  }
  throw new KubeError("Conflict", `${name} was changed by others ${maxAttempts} times in a row`, {
    hint: "another program may keep reverting it; its metadata.managedFields has the name",
  });
}

/** Returns the definition to write, or what becomes of one that needs no write. */
function nextDefinition(
  live: Live<CustomResourceDefinition>,
  given: CustomResourceDefinition,
  { revision, force = false, keepsConversion }: WriteOptions,
): CustomResourceDefinition | "newer" | "unchanged" {
  const manifest =
    keepsConversion && given.spec.conversion === undefined
      ? { ...given, spec: { ...given.spec, conversion: live.spec.conversion } }
      : given;
  const installed = Number(live.metadata.annotations?.[revisionAnnotation] ?? -1);
  if (revision !== undefined && installed > revision) {
    return "newer";
  }
  const { result, changes } = compareDefinitions(
    live as unknown as JsonObject,
    manifest as unknown as JsonObject,
  );
  const annotated = withRevision(manifest, { revision });
  const annotations = { ...live.metadata.annotations, ...annotated.metadata?.annotations };
  const labels = { ...live.metadata.labels, ...manifest.metadata?.labels };
  const hasMetadata =
    sameTexts(annotations, live.metadata.annotations) && sameTexts(labels, live.metadata.labels);
  if (result === "none" && hasMetadata) {
    return "unchanged";
  }
  if (result === "breaking" && !force) {
    const lines = changes
      .filter(({ breaking }) => breaking)
      .map(({ path, change }) => `\n- ${path}: ${change}`);
    throw new KubeError(
      "Conflict",
      `${live.metadata.name} is installed, and the new definition breaks it:${lines.join("")}\n`,
      {
        hint: "keep the old fields, or add a version; force: true installs it anyway",
      },
    );
  }
  return {
    ...live,
    metadata: { ...live.metadata, annotations, labels },
    spec: { ...manifest.spec, conversion: conversionOf(live, manifest) },
  };
}

/** Keeps the certificate that a tool such as cert-manager put into the live definition. */
function conversionOf(
  live: CustomResourceDefinition,
  manifest: CustomResourceDefinition,
): CustomResourceDefinition["spec"]["conversion"] {
  const { conversion } = manifest.spec;
  const config = conversion?.webhook?.clientConfig;
  const bundle = live.spec.conversion?.webhook?.clientConfig?.caBundle;
  if (conversion?.webhook === undefined || config === undefined || bundle === undefined) {
    return conversion;
  }
  const clientConfig = { caBundle: bundle, ...config };
  return { ...conversion, webhook: { ...conversion.webhook, clientConfig } };
}

function withRevision(
  manifest: CustomResourceDefinition,
  { revision }: Pick<InstallOptions, "revision">,
): CustomResourceDefinition {
  if (revision === undefined) {
    return manifest;
  }
  const annotations = { ...manifest.metadata?.annotations, [revisionAnnotation]: String(revision) };
  return { ...manifest, metadata: { ...manifest.metadata, annotations } };
}

function sameTexts(
  wanted: Readonly<Record<string, string>>,
  live: Readonly<Record<string, string>> = {},
): boolean {
  return Object.entries(wanted).every(([key, value]) => live[key] === value);
}
