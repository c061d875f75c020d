import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import {
  type ConnectOptions,
  clientSettings,
  type KindOf,
  type KindReference,
  Client as ResourceClients,
} from "@typekube/client";
import {
  createInformer,
  type FollowEvent,
  type FollowOptions,
  follow,
  type Informer,
  type InformerIndexes,
  type InformerOptions,
} from "@typekube/informer";

/** A connection to one API server: the clients of its resources, and informers over them. */
export class Client extends ResourceClients {
  /**
   * Starts a cache of a collection that keeps itself up to date.
   *
   * @example
   * await using pods = client.informer(Pod, { namespace: "prod", indexes: { node: (pod) => [pod.spec?.nodeName ?? ""] } });
   * await pods.synced();
   */
  informer<T extends KubeObject, const I extends InformerIndexes<T>>(
    descriptor: ResourceDescriptor<T>,
    options?: InformerOptions<T, I>,
  ): Informer<T, I>;
  informer<const R extends KindReference, const I extends InformerIndexes<KindOf<R>>>(
    reference: R & { readonly plural?: never },
    options?: InformerOptions<KindOf<R>, I>,
  ): Informer<KindOf<R>, I>;
  informer(type: ResourceDescriptor, options?: InformerOptions<KubeObject>): unknown {
    return createInformer(this, type, options);
  }

  /** Everything that happens to a collection, for ever: see `FollowEvent`. */
  follow<T extends KubeObject>(
    descriptor: ResourceDescriptor<T>,
    options?: FollowOptions,
  ): AsyncIterable<FollowEvent<T>>;
  follow<const R extends KindReference>(
    reference: R & { readonly plural?: never },
    options?: FollowOptions,
  ): AsyncIterable<FollowEvent<KindOf<R>>>;
  follow(type: ResourceDescriptor, options?: FollowOptions): unknown {
    return follow(this, type, options);
  }
}

/**
 * Connects to an API server. Without options to the one that kubectl would use: `KUBECONFIG`, `~/.kube/config`, and inside a
 * pod its service account. Nothing is sent before the first call.
 *
 * @example
 * await using client = await connect();
 * for await (const pod of client.resource(Pod, "prod").items()) console.log(pod.metadata.name);
 *
 * @throws {KubeError} `Config` when there is no usable configuration.
 */
export async function connect(options: ConnectOptions = {}): Promise<Client> {
  return new Client(await clientSettings(options));
}
