import {
  type ApiServer,
  type ApiServerOptions,
  type Review,
  type ReviewFunction,
  startApiServer,
} from "@typekube/apiserver";
import { call, type Json } from "@typekube/test-support/api-calls";

/** Collections of the tests. */
export const configMaps = "/api/v1/namespaces/default/configmaps";
export const pods = "/api/v1/namespaces/default/pods";
const group = "/apis/admissionregistration.k8s.io/v1";
export const mutating = `${group}/mutatingwebhookconfigurations`;
export const validating = `${group}/validatingwebhookconfigurations`;

/** A server with one webhook in process, at the Service `default/hooks`. */
export function startWith(hook: ReviewFunction, options: ApiServerOptions = {}) {
  return startApiServer({ ...options, clock: "virtual", webhooks: { "default/hooks": hook } });
}

/** A server to send requests to. */
export type Server = Pick<ApiServer, "send">;

/** Fields of a webhook that a test changes; the rest has the values of a plain webhook for ConfigMaps. */
export type WebhookFields = Readonly<Record<string, unknown>>;

/** Returns a webhook of a configuration, for new ConfigMaps unless `more` says otherwise. */
export function webhook(name: string, more: WebhookFields = {}) {
  return {
    name: `${name}.example.com`,
    clientConfig: { service: { namespace: "default", name: "hooks", path: `/${name}` } },
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    rules: [rule(["configmaps"])],
    ...more,
  };
}

/** Returns a rule for core resources. */
export function rule(resources: readonly string[], operations = ["CREATE"], more: object = {}) {
  return { apiGroups: [""], apiVersions: ["v1"], operations, resources, ...more };
}

/** Registers webhooks. */
export async function register(api: Server, path: string, ...webhooks: readonly object[]) {
  const response = await call(api, "POST", path, { metadata: { name: "config" }, webhooks });
  if (response.status !== 201) {
    throw new Error(response.text);
  }
  return response;
}

/** Returns a review with its response. */
export function reply({ apiVersion, kind, request }: Review, response: object): object {
  return { apiVersion, kind, response: { uid: request.uid, ...response } };
}

/** Returns the response with a JSON patch. */
export function patchOf(...operations: readonly object[]): object {
  const patch = Buffer.from(JSON.stringify(operations)).toString("base64");
  return { allowed: true, patch, patchType: "JSONPatch" };
}

/** Creates a ConfigMap. */
export function createConfigMap(api: Server, name: string, more: Json = {}, query = "") {
  return call(api, "POST", `${configMaps}${query}`, { metadata: { name }, ...more });
}
