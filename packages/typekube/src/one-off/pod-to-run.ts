import type { Container, Pod } from "@typekube/api/core/v1";
import { KubeError } from "@typekube/core";
import { assertOptions, type OptionTable, object, text } from "@typekube/core/internal";
import type { ImageToRun, RunPodSessionOptions } from "./one-off-options.js";
import { randomSuffix } from "./random-suffix.js";

/** Annotation by which a pod is recognised whose create was answered by an error of the network. */
export const runAnnotation = "typekube.dev/run";
/** Name of the container of an {@link ImageToRun}. */
const imageContainer = "run";
const defaultContainerAnnotation = "kubectl.kubernetes.io/default-container";
/** Seconds for which a pod may outlive `sessionTimeoutMs`: this process deletes it before. */
const deadlineSlackSeconds = 10;

const imageToRun: OptionTable<ImageToRun> = {
  env: object,
  image: text,
  labels: object,
  name: text,
  namespace: text,
  serviceAccountName: text,
};

/** A pod to create, and the container that matters. */
export interface PodToCreate {
  readonly pod: Pod & { readonly metadata: { readonly name: string; readonly namespace: string } };
  readonly container: string;
}

/** Settings of {@link podToCreate}. */
export interface PodToCreateSettings {
  readonly defaultNamespace: string;
  readonly random: () => number;
}

/**
 * Returns the pod that runs once: its command, its input, and no restarts.
 *
 * @throws {KubeError} `InvalidArgument` for an invalid image, or a Pod that would restart its containers.
 */
export function podToCreate(
  given: ImageToRun | Pod,
  {
    command,
    stdin = false,
    tty = false,
    container: wanted,
    sessionTimeoutMs,
  }: RunPodSessionOptions,
  { defaultNamespace, random }: PodToCreateSettings,
): PodToCreate {
  const base = "spec" in given ? given : podOfImage(given as ImageToRun);
  const { metadata, spec } = base;
  if (spec?.restartPolicy !== undefined && spec.restartPolicy !== "Never") {
    throw new KubeError("InvalidArgument", "spec.restartPolicy: must be Never for a one-off pod");
  }
  const containers = spec?.containers ?? [];
  const container =
    wanted ?? metadata?.annotations?.[defaultContainerAnnotation] ?? containers[0]?.name ?? "";
  if (!containers.some(({ name }) => name === container)) {
    throw new KubeError("InvalidArgument", `the pod has no container "${container}"`);
  }
  const prepared = (one: Container): Container => ({
    ...one,
    ...(command === undefined ? {} : { command: [...command] }),
    ...(stdin === false ? {} : { stdin: true, stdinOnce: true }),
    ...(tty ? { tty: true } : {}),
  });
  const limit =
    sessionTimeoutMs === undefined || spec?.activeDeadlineSeconds !== undefined
      ? {}
      : // Stops the pod also when this process is killed.
        { activeDeadlineSeconds: Math.ceil(sessionTimeoutMs / 1_000) + deadlineSlackSeconds };
  return {
    container,
    pod: {
      ...base,
      metadata: {
        ...metadata,
        name: metadata?.name ?? `${metadata?.generateName ?? "run-"}${randomSuffix(random)}`,
        namespace: metadata?.namespace ?? defaultNamespace,
        annotations: {
          ...metadata?.annotations,
          [runAnnotation]: `${randomSuffix(random)}${randomSuffix(random)}${randomSuffix(random)}`,
        },
      },
      spec: {
        ...spec,
        ...limit,
        restartPolicy: "Never",
        containers: containers.map((one) => (one.name === container ? prepared(one) : one)),
      },
    },
  };
}

function podOfImage(given: ImageToRun): Pod {
  assertOptions("runPod()", given, imageToRun);
  const { image, namespace, name, labels, env, serviceAccountName } = given;
  if (!image) {
    throw new KubeError("InvalidArgument", "image: must be the name of an image", {
      hint: 'such as { image: "busybox:1.36" }; or pass a Pod with spec',
    });
  }
  return {
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
    },
    spec: {
      containers: [
        { name: imageContainer, image, ...(env === undefined ? {} : { env: envOf(env) }) },
      ],
      ...(serviceAccountName === undefined ? {} : { serviceAccountName }),
    },
  };
}

/** Returns variables as a container lists them. */
export function envOf(
  variables: Readonly<Record<string, string>>,
): { readonly name: string; readonly value: string }[] {
  return Object.entries(variables).map(([name, value]) => ({ name, value }));
}
