import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import { type ClientContext, resourceOf } from "@typekube/client/internal";
import { isNotFound, KubeError } from "@typekube/core";
import { monotonicNow, sleep } from "@typekube/core/internal";

/** Milliseconds between two looks, doubling from the first to the last. */
const firstPauseMs = 50;
const lastPauseMs = 1_000;

/**
 * Waits until a definition is established and discovery lists its served versions.
 *
 * @param endsAt - time of the context's monotonic clock until which to wait.
 * @throws {KubeError} `Conflict` when its names are taken, so that it will never be served; `DeadlineExceeded`.
 */
export async function waitUntilServed(
  context: ClientContext,
  manifest: CustomResourceDefinition,
  endsAt: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const name = manifest.metadata?.name ?? "";
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, lastPauseMs)) {
    const state = await stateOf(context, name, signal);
    if (state === undefined && (await isDiscovered(context, manifest, signal))) {
      return;
    }
    const leftMs = endsAt - monotonicNow(context.clock);
    if (leftMs <= 0) {
      const why = state ?? "discovery does not list it";
      throw new KubeError("DeadlineExceeded", `${name} is not served yet: ${why}`, {
        hint: "check the conditions in its status, or raise timeoutMs",
      });
    }
    await sleep(context.clock, Math.min(pauseMs, leftMs), signal);
  }
}

/** Returns why a definition is not established; `undefined` if it is. */
async function stateOf(
  context: ClientContext,
  name: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const definitions = resourceOf(context, CustomResourceDefinition, undefined);
  const { status } = await definitions.get(name, { signal });
  const find = (type: string) => status?.conditions?.find((one) => one.type === type);
  const names = find("NamesAccepted");
  if (names?.status === "False") {
    throw new KubeError("Conflict", `${name} cannot be served: ${names.message ?? names.reason}`, {
      hint: "another definition of the group has the name; choose another one",
    });
  }
  const established = find("Established");
  return established?.status === "True"
    ? undefined
    : (established?.message ?? "it has no condition Established");
}

async function isDiscovered(
  { discovery }: ClientContext,
  { spec }: CustomResourceDefinition,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  discovery.invalidate();
  try {
    for (const { name, served } of spec.versions) {
      if (served) {
        const kind = { apiVersion: `${spec.group}/${name}`, kind: spec.names.kind };
        await discovery.find(kind, { signal });
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
