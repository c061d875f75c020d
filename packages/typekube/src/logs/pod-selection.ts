import { assertNamespaceOption } from "@typekube/client/internal";
import { type FieldSelectorInput, KubeError, type LabelSelectorInput } from "@typekube/core";
import { assertOptions, type OptionTable, text } from "@typekube/core/internal";

/** Pods by their labels and fields. */
export interface PodSelection {
  /** Default: all namespaces. An explicit `undefined` is rejected, as it is usually an unset variable. */
  readonly namespace?: string;
  /** Default: all pods. */
  readonly labelSelector?: LabelSelectorInput | undefined;
  /** Such as `spec.nodeName=node-1`. Default: all pods. */
  readonly fieldSelector?: FieldSelectorInput | undefined;
}

const podSelectionOptions: OptionTable<PodSelection> = {
  fieldSelector: true,
  labelSelector: true,
  namespace: text,
};

/** An object that selects pods: a Deployment, StatefulSet, DaemonSet, ReplicaSet, Job, Service; or a pod itself. */
export interface LogWorkload {
  readonly kind?: string | undefined;
  readonly metadata?:
    | { readonly name?: string | undefined; readonly namespace?: string | undefined }
    | undefined;
  readonly spec?: object | undefined;
}

/**
 * Returns the pods of a workload.
 *
 * @throws {KubeError} `InvalidArgument` for an object without a namespace or a selector, which would select every pod.
 */
export function podSelection(of: LogWorkload | PodSelection): PodSelection {
  if (!isWorkload(of)) {
    assertNamespaceOption("logs()", of);
    assertOptions("logs()", of, podSelectionOptions);
    return of;
  }
  const { kind, metadata, spec } = of;
  const { name, namespace } = metadata ?? {};
  if (name === undefined || namespace === undefined) {
    throw new KubeError(
      "InvalidArgument",
      "logs() needs the name and the namespace of the object",
      {
        hint: "pass an object that the server returned, or { namespace, labelSelector }",
      },
    );
  }
  const { selector, containers } = (spec ?? {}) as { selector?: object; containers?: unknown };
  if (kind === "Pod" || containers !== undefined) {
    return { namespace, fieldSelector: { "metadata.name": name } };
  }
  if (selector === undefined || Object.keys(selector).length === 0) {
    throw new KubeError("InvalidArgument", `${kind ?? "the object"} "${name}" selects no pods`, {
      hint: "pass an object with spec.selector, or { namespace, labelSelector }",
    });
  }
  return { namespace, labelSelector: selector as LabelSelectorInput };
}

/** Returns true for an object of the API, as opposed to selectors. */
export function isWorkload(of: LogWorkload | PodSelection): of is LogWorkload {
  return "metadata" in of || "spec" in of;
}
