import type { KubeObject } from "./api-types.js";
import { KubeError } from "./kube-error.js";

/**
 * Reads YAML text with any number of documents. Empty documents are left out; a `kind: List`, as `kubectl get -o yaml`
 * writes it, counts as its items.
 *
 * @throws {KubeError} `InvalidArgument` with line and column for text that is not YAML, and for documents that are
 * no API objects.
 */
export async function parseManifests(text: string): Promise<KubeObject[]> {
  const { loadAll, YAMLException } = await import("js-yaml");
  let documents: unknown[];
  try {
    documents = loadAll(text);
  } catch (error) {
    if (error instanceof YAMLException) {
      const at = error.mark ? ` (line ${error.mark.line + 1}, column ${error.mark.column + 1})` : "";
      throw new KubeError("InvalidArgument", `the manifest is not YAML: ${error.reason}${at}`, { cause: error });
    }
    throw error;
  }
  return documents
    .filter((document) => document !== null && document !== undefined)
    .flatMap((document, index) => objectsOf(document, index));
}

function objectsOf(document: unknown, index: number): KubeObject[] {
  const object = document as KubeObject & { items?: unknown };
  if (typeof document !== "object" || Array.isArray(document) || !object.apiVersion || !object.kind) {
    throw new KubeError("InvalidArgument", `document ${index} of the manifest is no API object`, {
      hint: "each document needs apiVersion and kind",
    });
  }
  return object.kind === "List" && Array.isArray(object.items)
    ? object.items.flatMap((item) => objectsOf(item, index))
    : [object];
}
