import type { KubeObject } from "@typekube/api";
import { isJsonObject, type JsonObject } from "@typekube/core/internal";
import { randomUid } from "../../objects/random.js";
import { timestamp } from "../../objects/timestamp.js";
import type { ServedResource } from "../../resources/served-resource.js";
import { load } from "../../server/load.js";
import { objectKey } from "../../store/store.js";
import { metadataOf } from "../items/check-item.js";
import type { CheckServer, Verdict } from "./check-server.js";
import { withoutConversionWebhook } from "./without-webhook.js";

/** Creates a namespace that the input only refers to. A checked namespace is stored before. */
export function ensureNamespace(
  { context }: CheckServer,
  name: string,
  podSecurity: string | undefined,
): void {
  const namespaces = context.store.collection("namespaces");
  const found = namespaces.get(name);
  const level = podSecurityLabels(podSecurity);
  const labels = found?.metadata.labels;
  const isLabelled = labels?.["pod-security.kubernetes.io/enforce"] !== undefined;
  if (name === "" || (found !== undefined && (isLabelled || podSecurity === undefined))) {
    return;
  }
  context.store.put("namespaces", name, {
    ...(found ?? {
      kind: "Namespace",
      apiVersion: "v1",
      spec: { finalizers: ["kubernetes"] },
      status: { phase: "Active" },
    }),
    kind: "Namespace",
    apiVersion: "v1",
    metadata: {
      ...(found?.metadata ?? {
        name,
        uid: randomUid(context.random),
        creationTimestamp: timestamp(context.clock),
      }),
      labels: { "kubernetes.io/metadata.name": name, ...labels, ...level },
    },
  });
}

function podSecurityLabels(level: string | undefined): Record<string, string> {
  return level === undefined
    ? {}
    : {
        "pod-security.kubernetes.io/enforce": level,
        "pod-security.kubernetes.io/warn": level,
      };
}

/** Updates an object that is stored as it was before, by default as a dry run. */
export async function updateStored(
  server: CheckServer,
  resource: ServedResource,
  namespace: string,
  object: JsonObject,
  dryRun: boolean = true,
): Promise<Verdict> {
  const metadata = metadataOf(object);
  const name = String(metadata["name"]);
  const stored = server.context.store
    .collection(resource.storage)
    .get(objectKey(resource.namespaced ? namespace : "", name));
  const version = metadata["resourceVersion"] ?? stored?.metadata.resourceVersion;
  const given = { ...object, metadata: { ...metadata, resourceVersion: version } };
  return server.write({ resource, namespace, object: given, dryRun, update: true });
}

/**
 * Stores an object as it was before: through a create, so that it has the defaults of the server; if the server rejects
 * it, unchanged, since it may have been valid once.
 */
export async function storeOld(
  server: CheckServer,
  resource: ServedResource,
  namespace: string,
  old: JsonObject,
): Promise<void> {
  const { error } = await server.write({
    resource,
    namespace,
    object: old,
    dryRun: false,
    fieldValidation: "Ignore",
  });
  if (error === undefined || error.reason === "AlreadyExists") {
    return;
  }
  const metadata = isJsonObject(old["metadata"]) ? old["metadata"] : {};
  const uid = randomUid(server.context.random);
  const raw = {
    ...withoutConversionWebhook(old),
    metadata: { ...metadata, namespace, uid },
  } as KubeObject;
  await load(server.context, [raw], () => Promise.reject(new Error("an object without a uid")));
}
