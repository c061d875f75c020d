import { parseApiVersion } from "@typekube/core";
import type { ServerContext } from "../../context/server-context.js";
import type { ApiObject } from "../../objects/api-object.js";
import { mapOf, specOf } from "../../objects/parts.js";
import { selects } from "../../objects/selects.js";
import type { ServedResource } from "../../resources/served-resource.js";
import { asVersion } from "../../resources/versions/object-versions.js";
import { objectKey } from "../../store/store.js";

/** Thrown when the parameters of a policy or a binding cannot be found: the failure policy decides what follows. */
export class ParamsProblem extends Error {
  override readonly name = "ParamsProblem";
}

/**
 * Returns the resource of the parameters of a policy; `undefined` for a policy without parameters.
 *
 * @throws {ParamsProblem} for a kind that the server does not serve.
 */
export function paramResource(
  policy: ApiObject,
  { registry }: Pick<ServerContext, "registry">,
): ServedResource | undefined {
  const { paramKind } = specOf(policy);
  if (paramKind === undefined) {
    return undefined;
  }
  const { apiVersion, kind } = mapOf(paramKind);
  const { group, version } = parseApiVersion(String(apiVersion));
  const found = registry.ofVersion(group, version).find((resource) => resource.kind === kind);
  if (found === undefined) {
    throw new ParamsProblem(
      `failed to find resource referenced by paramKind: '${group}/${version}, Kind=${String(kind)}'`,
    );
  }
  return found;
}

/**
 * Returns the parameters with which a policy is evaluated for a binding: one after the other, `null` for none.
 * (apiserver `CollectParams`)
 *
 * @param namespace - of the request.
 * @throws {ParamsProblem} if the reference of the binding is wrong, or finds nothing and must find something.
 */
export function collectParams(
  resource: ServedResource | undefined,
  binding: ApiObject,
  namespace: string,
  { store }: Pick<ServerContext, "store">,
): readonly (ApiObject | null)[] {
  const { paramRef } = specOf(binding);
  if (resource === undefined || paramRef === undefined) {
    return [null];
  }
  const reference = mapOf(paramRef);
  const params = find(resource, reference, paramNamespace(resource, reference, namespace), store);
  if (params.length === 0 && reference["parameterNotFoundAction"] === "Deny") {
    throw new ParamsProblem(
      "no params found for policy binding with `Deny` parameterNotFoundAction",
    );
  }
  return params.map((param) => asVersion(param, resource));
}

function paramNamespace(
  { namespaced }: ServedResource,
  reference: Readonly<Record<string, unknown>>,
  namespace: string,
): string {
  const given = String(reference["namespace"] ?? "");
  if (!namespaced) {
    if (given !== "") {
      throw new ParamsProblem(
        "paramRef.namespace must not be provided for a cluster-scoped `paramKind`",
      );
    }
    return "";
  }
  const wanted = given === "" ? namespace : given;
  if (wanted === "") {
    throw new ParamsProblem(
      "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources",
    );
  }
  return wanted;
}

function find(
  { storage }: ServedResource,
  { name, selector }: Readonly<Record<string, unknown>>,
  namespace: string,
  store: ServerContext["store"],
): readonly ApiObject[] {
  const params = store.collection(storage);
  if (typeof name === "string" && name !== "") {
    const found = params.get(objectKey(namespace, name));
    return found === undefined ? [] : [found];
  }
  return params
    .entries(namespace === "" ? "" : `${namespace}/`)
    .map(([, param]) => param)
    .filter((param) => selects(selector, param));
}
