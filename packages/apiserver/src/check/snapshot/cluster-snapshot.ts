import { KubeError, toYaml } from "@typekube/core";
import { isJsonObject, type JsonObject } from "@typekube/core/internal";
import { parseYaml } from "@typekube/core/yaml";
import * as yaml from "js-yaml";

/** Number that changes when older programs cannot read the snapshot. */
const formatVersion = 1;

/** Facts about a cluster that a check needs: the kinds that it serves, its definitions and its policies. */
export interface ClusterSnapshot {
  /** Release of the cluster, such as "1.37". */
  readonly version: string;
  /** Kinds by apiVersion, in order. */
  readonly served: Readonly<Record<string, readonly string[]>>;
  /**
   * Definitions, policies, bindings and params, and the labels of namespaces, in order; without statuses, annotations and what a server
   * sets. Never a Secret.
   */
  readonly objects: readonly JsonObject[];
  /** Sentences about what the user could not read. */
  readonly notes: readonly string[];
}

/** The comment with which the text of each snapshot begins. */
export const snapshotMark = "# Written by typekube check --from-cluster.\n";

/** Formats a snapshot as YAML. Equal clusters give equal texts. */
export function formatSnapshot({ version, served, objects, notes }: ClusterSnapshot): string {
  const head = { kind: "ClusterSnapshot", format: formatVersion, version, notes, served };
  return `${snapshotMark}${toYaml(head)}${objects
    .map((object) => `---\n${toYaml(object)}`)
    .join("")}`;
}

/**
 * Reads the text of a snapshot.
 *
 * @param name - name of the text in errors.
 * @throws {KubeError} `InvalidArgument` for another text.
 */
export function parseSnapshot(text: string, name: string = "the snapshot"): ClusterSnapshot {
  let documents: readonly unknown[];
  try {
    documents = parseYaml(yaml, text);
  } catch (error) {
    throw new KubeError("InvalidArgument", `${name} is not YAML: ${(error as Error).message}`);
  }
  const [head, ...objects] = documents;
  if (!isJsonObject(head) || head["kind"] !== "ClusterSnapshot") {
    throw new KubeError("InvalidArgument", `${name} is not a snapshot of a cluster`, {
      hint: "write one with typekube check --from-cluster --snapshot FILE",
    });
  }
  const { format, version, served, notes } = head;
  const isComplete =
    typeof version === "string" && isJsonObject(served) && objects.every(isJsonObject);
  if (format !== formatVersion || !isComplete) {
    throw new KubeError("InvalidArgument", `${name} has another format than ${formatVersion}`, {
      hint: "write it again with typekube check --from-cluster",
    });
  }
  return {
    version,
    served: served as ClusterSnapshot["served"],
    objects: objects as readonly JsonObject[],
    notes: Array.isArray(notes) ? notes.map(String) : [],
  };
}
