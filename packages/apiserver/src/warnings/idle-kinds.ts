import type { ServedResource } from "../resources/served-resource.js";
import type { ServerContext } from "../server-context.js";

/** Kinds whose controllers this server does not have, and the text that says so. */
const idleKinds: ReadonlyMap<string, string> = new Map([
  [
    "horizontalpodautoscalers.autoscaling",
    "this embedded API server has no metrics and runs no autoscaler: the HorizontalPodAutoscaler has no effect",
  ],
]);

/**
 * Warns of a new object without effect on a server that runs controllers. Without controllers no kind has an effect, as on
 * a bare kube-apiserver, and nothing is said.
 */
export function idleKindWarnings(
  { hasControllers }: Pick<ServerContext, "hasControllers">,
  { groupResource }: ServedResource,
): string[] {
  const text = hasControllers ? idleKinds.get(groupResource) : undefined;
  return text === undefined ? [] : [text];
}
