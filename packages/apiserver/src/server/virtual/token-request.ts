import { issuer, type TokenClaims } from "../../access/service-account-tokens.js";
import type { ServerContext } from "../../context/server-context.js";
import { cause } from "../../errors/field-errors.js";
import { badRequest, invalid } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { getPath, isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import { timestamp } from "../../objects/timestamp.js";
import { existing } from "../../phases/read/read-objects.js";
import type { ResourceRequest } from "../../request/request-info.js";

const kind = { group: "authentication.k8s.io", kind: "TokenRequest" } as const;
const defaultExpirationSeconds = 3_600;
const minExpirationSeconds = 600;
const maxExpirationSeconds = 2 ** 32;

/**
 * Serves a POST to `serviceaccounts/NAME/token` with a token that the server accepts.
 *
 * @throws {StatusError} 400, 404 and 422 as real servers.
 */
export function requestToken(
  server: ServerContext,
  { namespace, name }: ResourceRequest,
  account: ApiObject,
  body: JsonObject,
): JsonObject {
  const given = getPath(body, "metadata", "name");
  if (given !== undefined && given !== "" && given !== name) {
    const why = "must match the service account name if specified";
    throw invalid(kind, name, [cause.invalid("metadata.name", given, why)]);
  }
  const expirationSeconds = expirationOf(getPath(body, "spec", "expirationSeconds"));
  const requested = stringsOf(getPath(body, "spec", "audiences"));
  const audiences = requested.length === 0 ? [issuer] : requested;
  const reference = getPath(body, "spec", "boundObjectRef");
  const uid = account.metadata.uid ?? "";
  const { token, expiresAtMs } = server.access.tokens.issue({
    namespace,
    name,
    uid,
    audiences,
    expirationSeconds,
    bound: isJsonObject(reference) ? boundObject(server, namespace, account, reference) : undefined,
  });
  return {
    kind: kind.kind,
    apiVersion: `${kind.group}/v1`,
    metadata: { name, namespace, uid, creationTimestamp: timestamp(server.clock) },
    spec: { audiences, expirationSeconds, boundObjectRef: reference ?? null },
    status: {
      token,
      expirationTimestamp: new Date(expiresAtMs).toISOString().replace(".000Z", "Z"),
    },
  };
}

function expirationOf(value: unknown): number {
  if (value === undefined || value === null) {
    return defaultExpirationSeconds;
  }
  const seconds = Number(value);
  const field = "spec.expirationSeconds";
  if (seconds < minExpirationSeconds) {
    const why = "may not specify a duration less than 10 minutes";
    throw invalid(kind, "", [cause.invalid(field, value, why)]);
  }
  if (seconds > maxExpirationSeconds) {
    const why = "may not specify a duration larger than 2^32 seconds";
    throw invalid(kind, "", [cause.invalid(field, value, why)]);
  }
  return seconds;
}

/** Resolves the object that a token is bound to. */
function boundObject(
  server: ServerContext,
  namespace: string,
  account: ApiObject,
  reference: JsonObject,
): TokenClaims["bound"] {
  const { apiVersion, kind: boundKind } = reference;
  const name = String(reference["name"] ?? "");
  const plural = { Pod: "pods", Secret: "secrets", Node: "nodes" }[String(boundKind)];
  const resource = plural === undefined ? undefined : server.registry.find("", "v1", plural);
  if (resource === undefined || apiVersion !== "v1") {
    const version = String(apiVersion ?? "");
    throw badRequest(
      `cannot bind token to object of type ${version.includes("/") ? version : `/${version}`}, Kind=${String(boundKind)}`,
    );
  }
  const object = existing(server, resource, resource.namespaced ? namespace : "", name);
  const owner = getPath(object, "spec", "serviceAccountName") ?? "default";
  if (boundKind === "Pod" && owner !== account.metadata.name) {
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(account.metadata.name)} to pod running with different serviceaccount name.`,
    );
  }
  return { kind: String(boundKind), name, uid: object.metadata.uid ?? "" };
}
