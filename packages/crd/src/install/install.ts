import type { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import type { ClientCore } from "@typekube/client";
import { contextOf } from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import { assertOptions, monotonicNow } from "@typekube/core/internal";
import { type InstallOptions, installOptions } from "./install-options.js";
import { waitUntilServed } from "./wait-until-served.js";
import { type InstallResult, writeDefinition } from "./write-definition.js";

export type { InstallOptions } from "./install-options.js";

/** Default of `timeoutMs`. */
const defaultTimeoutMs = 60_000;

/** A custom resource, as far as its installation needs it. */
export interface InstallableResource {
  crd(): CustomResourceDefinition;
  /** Converters, for which a manager writes the conversion of the definition. */
  readonly convert?: object | undefined;
}

/** Outcome for one definition. */
export interface InstalledResource {
  /** Name of the CustomResourceDefinition. */
  readonly name: string;
  /** `newer`: a definition of a later revision is installed, and stays. */
  readonly result: InstallResult;
}

/**
 * Installs the definitions of custom resources and waits until the server serves them. Programs call it at their start;
 * several replicas may do so at once. A definition that is installed already in the same form is not written.
 *
 * An update that would break objects or clients is refused with the list of what it breaks, so that an older program
 * does not remove the fields of a newer one. With `revision`, an older program leaves the newer definition alone instead.
 *
 * @param resources - values of `defineResource`.
 * @throws {KubeError} `Conflict` for a breaking change, and for names that another definition has; `DeadlineExceeded`;
 * `Forbidden` without the verbs get, create and update of customresourcedefinitions; `InvalidArgument` for two
 * definitions of one name.
 */
export async function install(
  client: ClientCore,
  resources: readonly InstallableResource[],
  options: InstallOptions = {},
): Promise<readonly InstalledResource[]> {
  assertOptions("install()", options, installOptions);
  const { timeoutMs = defaultTimeoutMs, signal } = options;
  signal?.throwIfAborted();
  const context = contextOf(client);
  const endsAt = monotonicNow(context.clock) + timeoutMs;
  const manifests = resources.map((resource) => resource.crd());
  assertDistinct(manifests);
  const installed: InstalledResource[] = [];
  for (const [at, manifest] of manifests.entries()) {
    const keepsConversion = resources[at]?.convert !== undefined;
    const result = await writeDefinition(context, manifest, { ...options, keepsConversion });
    installed.push({ name: manifest.metadata?.name ?? "", result });
  }
  for (const manifest of manifests) {
    await waitUntilServed(context, manifest, endsAt, signal);
  }
  return installed;
}

/** Rejects two definitions of one resource, or of one kind in a group. */
function assertDistinct(manifests: readonly CustomResourceDefinition[]): void {
  const known = new Set<string>();
  for (const { metadata, spec } of manifests) {
    for (const what of [metadata?.name ?? "", `${spec.names.kind} of ${spec.group}`]) {
      if (known.has(what)) {
        throw new KubeError("InvalidArgument", `install() got two definitions of ${what}`, {
          hint: "define several versions of a kind in one definition, with the option versions",
        });
      }
      known.add(what);
    }
  }
}
