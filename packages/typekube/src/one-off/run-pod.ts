import type { Pod } from "@typekube/api/core/v1";
import type { ClientCore } from "@typekube/client";
import { contextOf, loadSessions } from "@typekube/client/internal";
import { collectOutput } from "./collect-output.js";
import type { ContainerSession } from "./container-session.js";
import { assertOneOff } from "./one-off-checks.js";
import type {
  ContainerOutput,
  ImageToRun,
  RunPodOptions,
  RunPodSessionOptions,
} from "./one-off-options.js";
import { createOwnPod, deleteOwnPod } from "./own-pod.js";
import { podToCreate } from "./pod-to-run.js";
import { runLifetime } from "./run-lifetime.js";
import { startContainerSession } from "./start-container-session.js";

/** Runs a pod once: collects its output, or returns a session. The pod is deleted in any case. */
export async function runPod(
  client: ClientCore,
  given: ImageToRun | Pod,
  options: RunPodOptions | RunPodSessionOptions,
  random: () => number = Math.random,
): Promise<ContainerOutput<Buffer | string> | ContainerSession> {
  const parts = await loadSessions();
  assertOneOff(client, "runPod()", options, parts);
  const session = await startPod(client, given, options, random);
  return parts.wantsSession(options)
    ? session
    : collectOutput(session, options as RunPodOptions, parts);
}

async function startPod(
  client: ClientCore,
  given: ImageToRun | Pod,
  options: RunPodSessionOptions,
  random: () => number,
): Promise<ContainerSession> {
  const { impersonate, onWarning, signal, timeoutMs, stdin = false, tty = false } = options;
  const wanted = podToCreate(given, options, { defaultNamespace: client.namespace, random });
  signal?.throwIfAborted();
  const requests = { impersonate, onWarning };
  const pod = await createOwnPod(client, wanted, { ...requests, timeoutMs });
  const { name, namespace = "", uid } = pod.metadata;
  const run = runLifetime(contextOf(client).clock, options, () =>
    deleteOwnPod(client, pod, requests),
  );
  try {
    run.signal.throwIfAborted();
    const { size, stdinEnd } = options;
    return await startContainerSession(
      client,
      { pod: name, namespace, uid, container: wanted.container },
      { ...requests, signal: run.signal, timeoutMs, stdin, tty, size, stdinEnd },
      run.end,
    );
  } catch (error) {
    await run.end();
    throw error;
  }
}
