import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "@typekube/api/admissionregistration/v1";
import { KubeError } from "@typekube/core";
import type { JsonObject } from "@typekube/core/internal";
import type { Client } from "typekube";
import { CustomResourceDefinition } from "typekube/api/apiextensions/v1";
import { Namespace } from "typekube/api/core/v1";
import { load } from "../../server/load.js";
import { type CheckServer, createCheckServer } from "../engine/check-server.js";
import { findKind } from "../engine/find-kind.js";
import { withoutConversionWebhook } from "../engine/without-webhook.js";

/**
 * Creates a server with a policy, its binding, and what they consult in a cluster: definitions, namespaces and params.
 *
 * @throws {KubeError} `Invalid` for a policy or binding that a server rejects; errors of the reads.
 */
export async function createPolicyServer(
  client: Client,
  policy: ValidatingAdmissionPolicy,
  binding: ValidatingAdmissionPolicyBinding,
  signal: AbortSignal | undefined,
): Promise<CheckServer> {
  const server = createCheckServer("1.37");
  const store = (objects: readonly object[]) =>
    load(server.context, objects as never, () =>
      Promise.reject(new Error("an object without uid")),
    );
  for await (const definition of client.resource(CustomResourceDefinition).items({ signal })) {
    await store([asDefinition(definition)]);
  }
  for await (const namespace of client.resource(Namespace).items({ signal })) {
    await store([namespace]);
  }
  const { apiVersion, kind } = policy.spec?.paramKind ?? {};
  if (apiVersion !== undefined && kind !== undefined) {
    for await (const param of client.resource({ apiVersion, kind }).items({ signal })) {
      await store([param]);
    }
  }
  await write(server, "ValidatingAdmissionPolicy", policy);
  await write(server, "ValidatingAdmissionPolicyBinding", binding);
  return server;
}

/** Objects are read in the versions that a cluster serves, so nothing is converted by a webhook here. */
function asDefinition(definition: CustomResourceDefinition): CustomResourceDefinition {
  return withoutConversionWebhook({
    ...definition,
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
  });
}

async function write(server: CheckServer, kind: string, given: object): Promise<void> {
  const apiVersion = "admissionregistration.k8s.io/v1";
  const found = findKind(server, apiVersion, kind);
  if ("problem" in found) {
    throw new KubeError("InvalidState", found.problem.message);
  }
  const object = { ...asNew(given), apiVersion, kind };
  const { resource } = found;
  const { error } = await server.write({ resource, namespace: "", object, dryRun: false });
  if (error !== undefined) {
    throw new KubeError("Invalid", error.message ?? `the ${kind} is not valid`, { status: error });
  }
}

/** Returns an object of a program or a cluster without what a server sets. */
function asNew(given: object): JsonObject {
  const { metadata, status: _status, ...rest } = given as JsonObject;
  const { name, labels, annotations } = metadata as JsonObject;
  return { ...rest, metadata: { name, labels, annotations } };
}
