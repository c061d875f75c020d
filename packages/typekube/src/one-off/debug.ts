import type { Live } from "@typekube/api";
import { type EphemeralContainer, Pod } from "@typekube/api/core/v1";
import { type ClientCore, strategicPatch } from "@typekube/client";
import { contextOf, loadSessions, resourceOf } from "@typekube/client/internal";
import { isForbidden, KubeError } from "@typekube/core";
import { object, oneOf, text } from "@typekube/core/internal";
import { collectOutput } from "./collect-output.js";
import type { ContainerSession } from "./container-session.js";
import { assertOneOff } from "./one-off-checks.js";
import type {
  ContainerOutput,
  DebugOptions,
  DebugSessionOptions,
  PodToDebug,
} from "./one-off-options.js";
import { envOf } from "./pod-to-run.js";
import { randomSuffix } from "./random-suffix.js";
import { runLifetime } from "./run-lifetime.js";
import { startContainerSession } from "./start-container-session.js";

const containerOptions = {
  env: object,
  image: text,
  imagePullPolicy: oneOf("Always", "IfNotPresent", "Never"),
  name: text,
  securityContext: object,
  target: text,
};

/** Adds an ephemeral container to a pod: collects its output, or returns a session. */
export async function debug(
  client: ClientCore,
  given: PodToDebug,
  options: DebugOptions | DebugSessionOptions,
  random: () => number = Math.random,
): Promise<ContainerOutput<Buffer | string> | ContainerSession> {
  const parts = await loadSessions();
  const { container: _, ...execOptions } = parts.execOptions;
  assertOneOff(
    client,
    "debug()",
    options,
    { ...parts, execOptions } as typeof parts,
    containerOptions,
  );
  if (!options.image) {
    throw new KubeError("InvalidArgument", "image: must be the name of an image", {
      hint: 'such as { image: "busybox:1.36" }',
    });
  }
  const session = await startDebugger(client, given, options, random);
  return parts.wantsSession(options)
    ? session
    : collectOutput(session, options as DebugOptions, parts);
}

async function startDebugger(
  client: ClientCore,
  given: PodToDebug,
  options: DebugSessionOptions,
  random: () => number,
): Promise<ContainerSession> {
  const { impersonate, onWarning, signal, timeoutMs, stdin = false, tty = false } = options;
  const { name, namespace = client.namespace } = "metadata" in given ? given.metadata : given;
  const context = contextOf(client);
  const pods = resourceOf(context, Pod, namespace);
  const call = { impersonate, onWarning, signal, timeoutMs };
  const pod = await pods.get(name, call);
  const added = debugContainer(pod, options, random);
  const { uid } = pod.metadata;
  try {
    await pods.ephemeralcontainers.patch(
      name,
      strategicPatch({ metadata: { uid }, spec: { ephemeralContainers: [added] } }),
      call,
    );
  } catch (error) {
    throw isForbidden(error) ? withRights(error) : error;
  }
  const run = runLifetime(context.clock, options, async () => {});
  try {
    const { size, stdinEnd } = options;
    return await startContainerSession(
      client,
      { pod: name, namespace, uid, container: added.name },
      { impersonate, onWarning, signal: run.signal, timeoutMs, stdin, tty, size, stdinEnd },
      run.end,
    );
  } catch (error) {
    await run.end();
    throw error;
  }
}

/** @throws {KubeError} `InvalidArgument` for a name that is taken, or a target that does not exist. */
function debugContainer(
  { metadata, spec, status }: Live<Pod>,
  options: DebugSessionOptions,
  random: () => number,
): EphemeralContainer {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec ?? {};
  const all = [...containers, ...initContainers, ...ephemeralContainers].map(({ name }) => name);
  if (status?.phase === "Succeeded" || status?.phase === "Failed") {
    throw new KubeError("InvalidState", `the pod ${metadata.name} has ended: ${status.phase}`);
  }
  const { target, image, command, env, imagePullPolicy, securityContext } = options;
  if (target !== undefined && !containers.some(({ name }) => name === target)) {
    throw new KubeError("InvalidArgument", `target: the pod has no container "${target}"`, {
      hint: `it has ${containers.map(({ name }) => name).join(", ")}`,
    });
  }
  let name = options.name ?? `debugger-${randomSuffix(random)}`;
  while (all.includes(name)) {
    if (options.name !== undefined) {
      throw new KubeError("InvalidArgument", `name: the pod has a container "${name}" already`, {
        hint: "ephemeral containers stay until the pod is deleted; omit the name for a new one",
      });
    }
    name = `debugger-${randomSuffix(random)}`;
  }
  return {
    name,
    image,
    terminationMessagePolicy: "FallbackToLogsOnError",
    ...(command === undefined ? {} : { command: [...command] }),
    ...(env === undefined ? {} : { env: envOf(env) }),
    ...((options.stdin ?? false) === false ? {} : { stdin: true, stdinOnce: true }),
    ...(options.tty === true ? { tty: true } : {}),
    ...(target === undefined ? {} : { targetContainerName: target }),
    ...(imagePullPolicy === undefined ? {} : { imagePullPolicy }),
    ...(securityContext === undefined ? {} : { securityContext }),
  };
}

function withRights(error: KubeError): KubeError {
  const { code, rawMessage, ...more } = error;
  return new KubeError(code, rawMessage, {
    ...more,
    cause: error.cause,
    hint: "debug needs get, list and watch on pods, patch on pods/ephemeralcontainers, get on pods/log, and with stdin or tty get and create on pods/attach",
  });
}
