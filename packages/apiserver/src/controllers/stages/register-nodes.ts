import type { ServerContext } from "../../context/server-context.js";
import type { ApiObject } from "../../objects/api-object.js";
import type { JsonObject } from "../../objects/json-value.js";
import { timestamp } from "../../objects/timestamp.js";
import type { ObjectWriter } from "../runtime/object-writer.js";
import type { Stage } from "./stage.js";

const storage = "nodes";

/** Resources of a registered Node. They don't limit the pods. */
const capacity = { cpu: "16", memory: "64Gi", pods: "110", "ephemeral-storage": "100Gi" };

/** Address of the Node, and host address of every pod that `runPods` runs. */
export const nodeAddress = "10.0.0.1";

/**
 * Creates the Nodes that stages assign pods to, like a kubelet that registers itself at startup. Existing Nodes are
 * kept.
 */
export async function registerNodes(
  server: Pick<ServerContext, "clock" | "version">,
  stages: readonly Stage[],
  writer: ObjectWriter,
): Promise<void> {
  const names = new Set(stages.flatMap(({ node }) => node ?? []));
  if (names.size === 0 || writer.resourceOf(storage) === undefined) {
    return;
  }
  await writer.prepare([storage]);
  for (const name of names) {
    if (writer.get(storage, "", name) === undefined) {
      register(server, name, writer);
    }
  }
}

function register(
  server: Pick<ServerContext, "clock" | "version">,
  name: string,
  writer: ObjectWriter,
): void {
  const labels = {
    "beta.kubernetes.io/arch": "amd64",
    "beta.kubernetes.io/os": "linux",
    "kubernetes.io/arch": "amd64",
    "kubernetes.io/hostname": name,
    "kubernetes.io/os": "linux",
  };
  const created = writer.create(storage, {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels },
    status: statusOf(server, name),
  } as ApiObject);
  // Do as the node controller: remove the taint set by admission, since the Node is ready.
  const { taints: _, ...spec } = created["spec"] as JsonObject;
  writer.update(storage, { ...created, spec });
}

function statusOf(
  { clock, version }: Pick<ServerContext, "clock" | "version">,
  name: string,
): JsonObject {
  const now = timestamp(clock);
  const condition = (type: string, status: string, reason: string, message: string) => ({
    type,
    status,
    lastHeartbeatTime: now,
    lastTransitionTime: now,
    reason,
    message,
  });
  const [major, minor, patch = "0"] = version.split(".");
  return {
    capacity,
    allocatable: capacity,
    conditions: [
      condition(
        "MemoryPressure",
        "False",
        "KubeletHasSufficientMemory",
        "kubelet has sufficient memory available",
      ),
      condition(
        "DiskPressure",
        "False",
        "KubeletHasNoDiskPressure",
        "kubelet has no disk pressure",
      ),
      condition(
        "PIDPressure",
        "False",
        "KubeletHasSufficientPID",
        "kubelet has sufficient PID available",
      ),
      condition("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
    ],
    addresses: [
      { type: "InternalIP", address: nodeAddress },
      { type: "Hostname", address: name },
    ],
    nodeInfo: {
      architecture: "amd64",
      bootID: "",
      containerRuntimeVersion: "typekube://0",
      kernelVersion: "",
      kubeProxyVersion: "",
      kubeletVersion: `v${major}.${minor}.${patch}`,
      machineID: "",
      operatingSystem: "linux",
      osImage: "TypeKube",
      systemUUID: "",
    },
  };
}
