import type { Live } from "@typekube/api";
import { Node } from "@typekube/api/core/v1";
import { mergePatch, type WriteOptions } from "@typekube/client";
import type { Client } from "../client.js";

/** Options of {@link cordon} and {@link uncordon}. */
export type CordonOptions = Pick<
  WriteOptions,
  "dryRun" | "fieldManager" | "impersonate" | "signal" | "timeoutMs"
>;

/**
 * Marks a node as unschedulable, like `kubectl cordon`: sets `spec.unschedulable` to true.
 *
 * @throws {KubeError} `NotFound`, `Forbidden`.
 */
export function cordon(
  client: Client,
  node: string,
  options: CordonOptions = {},
): Promise<Live<Node>> {
  return client.resource(Node).patch(node, mergePatch({ spec: { unschedulable: true } }), options);
}

/** Marks a node as schedulable again, like `kubectl uncordon`. */
export function uncordon(
  client: Client,
  node: string,
  options: CordonOptions = {},
): Promise<Live<Node>> {
  return client.resource(Node).patch(node, mergePatch({ spec: { unschedulable: null } }), options);
}
