import type { KubeObject, Live } from "@typekube/api";

/** Annotation that makes a controller leave an object alone. */
export const pausedAnnotation = "typekube.dev/paused";

/** Path of the annotation. */
export const pausedField: string = `metadata.annotations["${pausedAnnotation}"]`;

/** Returns whether an object has the annotation. */
export function isPaused({ metadata }: Live<KubeObject>): boolean {
  return metadata.annotations?.[pausedAnnotation] === "true";
}
