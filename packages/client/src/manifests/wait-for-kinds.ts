import type { KubeObject } from "@typekube/api";
import { isNotFound, KubeError } from "@typekube/core";
import type { CallOptions } from "../options/call-options.js";
import type { ManifestClient } from "./manifest-client.js";
import type { ManifestPlace } from "./manifest-place.js";
import { type DefinitionManifest, kindsOf } from "./manifest-set.js";
import { poll } from "./poll.js";

/** Milliseconds to wait until the kinds of a new definition are served. */
export const defaultKindsTimeoutMs = 30_000;

interface Definition extends KubeObject {
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly message?: string;
    }[];
  };
}

/**
 * Waits until discovery lists every kind of a definition. Servers list them once the definition is established.
 *
 * @throws {KubeError} `Conflict` when its names are taken, so that the kinds will never be served; `DeadlineExceeded`.
 */
export async function waitForKinds(
  client: ManifestClient,
  definition: DefinitionManifest,
  { name, operations }: Pick<ManifestPlace, "name" | "operations">,
  timeoutMs: number,
  options: CallOptions,
): Promise<void> {
  if (await areServed(client, definition, options)) {
    return;
  }
  const served = await poll(client.clock, timeoutMs, options.signal, async () => {
    const conditions = ((await operations.get(name, options)) as Definition).status?.conditions;
    const taken = conditions?.find(
      ({ type, status }) => type === "NamesAccepted" && status === "False",
    );
    if (taken) {
      throw new KubeError(
        "Conflict",
        `the kind ${definition.spec?.names?.kind} cannot be served: ${taken.message ?? "names are taken"}`,
      );
    }
    client.discovery.invalidate();
    return (await areServed(client, definition, options)) || undefined;
  });
  if (!served) {
    throw new KubeError(
      "DeadlineExceeded",
      `the definition was applied, but the kind ${definition.spec?.names?.kind} is not served after ${timeoutMs} ms`,
      { hint: "check the conditions in the status of the definition, or raise kindsTimeoutMs" },
    );
  }
}

async function areServed(
  client: ManifestClient,
  definition: DefinitionManifest,
  options: CallOptions,
): Promise<boolean> {
  try {
    for (const kind of kindsOf(definition)) {
      const { plural } = await client.discovery.find(kind, options);
      if (plural !== definition.spec?.names?.plural) {
        // Belongs to another definition whose kind has the same name.
        return false;
      }
    }
    return true;
  } catch (error) {
    if (isNotFound(error)) {
      return false;
    }
    throw error;
  }
}
