import { readFile } from "node:fs/promises";
import { KubeError } from "@typekube/core";

/** File with the namespace of a pod, mounted with the token of its service account. (client-go `rest.InClusterConfig`) */
const namespaceFile = "/var/run/secrets/kubernetes.io/serviceaccount/namespace";

/**
 * Returns the namespace of the pod's service account.
 *
 * @throws {KubeError} `InvalidArgument` outside of a pod.
 */
export async function serviceAccountNamespace(path: string = namespaceFile): Promise<string> {
  let namespace = "";
  try {
    namespace = (await readFile(path, "utf8")).trim();
  } catch {
    // Outside of a pod, or without a mounted token.
  }
  if (namespace === "") {
    throw new KubeError("InvalidArgument", "namespace: must be set outside of a pod", {
      hint: "all candidates of an election need the same namespace",
    });
  }
  return namespace;
}
