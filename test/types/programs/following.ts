import {
  type Client,
  conditions,
  type FollowOptions,
  type Informer,
  type InformerOptions,
  type KubeObject,
  type Live,
  type ResourceDescriptor,
} from "typekube";
import { Deployment } from "typekube/api/apps/v1";
import { Pod } from "typekube/api/core/v1";

/** Custom wrapper of `informer()`. */
export function watched<T extends KubeObject>(
  client: Client,
  kind: ResourceDescriptor<T>,
  options: InformerOptions<T>,
): Informer<T> {
  return client.informer(kind, { ...options, onError: console.error });
}

/** Uses informers, follow and waits. */
export async function following(client: Client): Promise<(string | undefined)[]> {
  await using informer = client.informer(Pod, {
    indexes: { node: (pod) => [pod.spec?.nodeName ?? ""] },
  });
  await informer.synced();
  const onNode: readonly Live<Pod>[] = informer.by.node("node-1");
  const plain: Informer<Pod> = client.informer(Pod);
  await plain.close();
  const options: InformerOptions<Pod> & FollowOptions = { namespace: "prod" };
  await using wrapped = watched(client, Pod, options);
  const inProd: readonly Live<Pod>[] = wrapped.list();
  for await (const event of client.follow(Pod, options)) {
    if (event.type === "synced") {
      break;
    }
  }
  const web = await client.waitFor(Deployment, "web", conditions.available(), {
    namespace: "prod",
  });
  const uid = await client.resource(Deployment, "prod").waitFor("web", conditions.available());
  return [
    onNode[0]?.metadata.name,
    inProd[0]?.spec?.nodeName,
    web?.metadata.name,
    uid?.metadata.uid,
  ];
}
