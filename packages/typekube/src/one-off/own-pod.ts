import type { Live } from "@typekube/api";
import { Pod } from "@typekube/api/core/v1";
import type { CallOptions, ClientCore } from "@typekube/client";
import { contextOf, loadLogs, resourceOf } from "@typekube/client/internal";
import { isAlreadyExists, isConflict, isForbidden, isNotFound, KubeError } from "@typekube/core";
import { callScope, sleep, withCallScope } from "@typekube/core/internal";
import { type PodToCreate, runAnnotation } from "./pod-to-run.js";

/** Milliseconds for a delete, whatever the time that the caller has left. */
const deleteWithinMs = 10_000;
/** Milliseconds in which a create that was lost on the way must show. */
const lostWithinMs = 1_000;

/** Options of the requests, without the signal: a pod that was created must be deleted. */
type Requests = Pick<CallOptions, "impersonate" | "onWarning">;

/**
 * Creates a pod of ours. The request is never aborted, since it may have succeeded; whatever its outcome, no pod is left
 * when this function throws.
 *
 * @throws {KubeError} the server's refusal; a `Forbidden` names the permissions that are needed.
 */
export async function createOwnPod(
  client: ClientCore,
  { pod }: PodToCreate,
  options: Requests & { readonly timeoutMs: number | undefined },
): Promise<Live<Pod>> {
  const { namespace } = pod.metadata;
  const pods = resourceOf(contextOf(client), Pod, namespace);
  try {
    return await unaborted(() => pods.create(pod, options));
  } catch (error) {
    const isAnswered = error instanceof KubeError && error.httpStatus !== undefined;
    if (isForbidden(error)) {
      throw withRights(error);
    }
    if (
      isAnswered &&
      error.httpStatus !== undefined &&
      error.httpStatus < 500 &&
      !isAlreadyExists(error)
    ) {
      throw error;
    }
    const found = await findOwn(client, pod, options);
    if (found !== undefined && isAlreadyExists(error)) {
      return found;
    }
    if (found !== undefined) {
      await deleteOwnPod(client, found, options);
    }
    throw error;
  }
}

/** Deletes a pod, with a deadline of its own. A failure is a warning: what the pod did is done. */
export async function deleteOwnPod(
  client: ClientCore,
  { metadata }: Live<Pod>,
  options: Requests,
): Promise<void> {
  const { name, namespace, uid } = metadata;
  const pods = resourceOf(contextOf(client), Pod, namespace ?? "");
  try {
    await unaborted(() =>
      pods.delete(name, { ...options, preconditions: { uid }, timeoutMs: deleteWithinMs }),
    );
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) {
      const { emitWarning } = await loadLogs();
      const text = `the pod ${namespace}/${name} could not be deleted: ${KubeError.from(error).message}`;
      emitWarning(contextOf(client), options, text);
    }
  }
}

/** Finds a pod whose create had no answer. */
async function findOwn(
  client: ClientCore,
  { metadata }: PodToCreate["pod"],
  options: Requests,
): Promise<Live<Pod> | undefined> {
  const context = contextOf(client);
  const pods = resourceOf(context, Pod, metadata.namespace);
  for (const delayMs of [0, lostWithinMs]) {
    await sleep(context.clock, delayMs, undefined);
    const found = await unaborted(() =>
      pods.find(metadata.name, { ...options, timeoutMs: deleteWithinMs }),
    ).catch(() => undefined);
    if (found !== undefined) {
      const token = found.metadata.annotations?.[runAnnotation];
      return token === metadata.annotations?.[runAnnotation] ? found : undefined;
    }
  }
  return undefined;
}

/** Makes a call that the signal of the scope does not end; what else the scope forbids stays forbidden. */
function unaborted<T>(call: () => Promise<T>): Promise<T> {
  return withCallScope({ ...callScope(), signal: undefined }, call);
}

function withRights(error: KubeError): KubeError {
  const { code, rawMessage, ...more } = error;
  return new KubeError(code, rawMessage, {
    ...more,
    cause: error.cause,
    hint: "runPod needs create, get, list, watch and delete on pods, get on pods/log, and with stdin or tty get and create on pods/attach",
  });
}
