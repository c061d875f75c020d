import { connect, type PodCalls } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { benchPod } from "../bench-pod.js";

/** Returns the calls into the pod of a server. */
export async function connectToPod(url: string): Promise<PodCalls> {
  const client = await connect({ server: url });
  return client.resource(Pod, benchPod.namespace).named(benchPod.name);
}
