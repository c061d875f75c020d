import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import type { Client, KindOf, KindReference } from "@typekube/client";
import { Informer } from "./informer.js";
import type { InformerIndexes, InformerOptions } from "./informer-options.js";

/**
 * Starts an informer.
 *
 * @example
 * await using pods = createInformer(client, Pod, { indexes: { node: (pod) => [pod.spec?.nodeName ?? ""] } });
 * await pods.synced();
 * pods.by.node("node-1");
 */
export function createInformer<T extends KubeObject, const I extends InformerIndexes<T>>(
  client: Client,
  type: ResourceDescriptor<T>,
  options?: InformerOptions<T, I>,
): Informer<T, I>;
export function createInformer<
  const R extends KindReference,
  const I extends InformerIndexes<KindOf<R>>,
>(
  client: Client,
  type: R & { readonly plural?: never },
  options?: InformerOptions<KindOf<R>, I>,
): Informer<KindOf<R>, I>;
export function createInformer(
  client: Client,
  type: KindReference | ResourceDescriptor,
  options: InformerOptions<KubeObject> = {},
): Informer {
  return new Informer(client.reader(type, options.namespace), options, client.context.clock);
}
