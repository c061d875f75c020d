import type { Pod } from "@typekube/api/core/v1";
import { isForbidden } from "@typekube/core";
import type { CallOptions } from "../options/call-options.js";
import { callOptionsOf } from "../options/call-options-of.js";
import type { PodTarget } from "./pod-target.js";

/** Annotation with the name of the container that commands are for. (kubectl `podcmd`) */
const defaultContainerAnnotation = "kubectl.kubernetes.io/default-container";

/**
 * Returns the container of a call: the one it names, else the default one of the pod. Without permission to read the
 * pod, the server chooses: `undefined`.
 *
 * @throws {KubeError} the error of reading the pod.
 */
export async function chooseContainer(
  target: PodTarget,
  options: CallOptions & { readonly container?: string | undefined },
): Promise<string | undefined> {
  if (options.container !== undefined) {
    return options.container;
  }
  try {
    return defaultContainer(await target.get(callOptionsOf(options)));
  } catch (error) {
    if (isForbidden(error)) {
      return undefined;
    }
    throw error;
  }
}

/** Returns the container that the annotation of a pod names, else its first one. */
export function defaultContainer({ metadata, spec }: Pod): string | undefined {
  const containers = spec?.containers ?? [];
  const named = metadata?.annotations?.[defaultContainerAnnotation];
  return containers.find(({ name }) => name === named)?.name ?? containers[0]?.name;
}
