import { attributesOf } from "../../access/access-attributes.js";
import { userOfToken } from "../../access/authenticate.js";
import type { Access } from "../../access/create-access.js";
import type { PolicyRule } from "../../access/rbac/policy-rule.js";
import { issuer } from "../../access/service-account-tokens.js";
import type { ServerContext } from "../../context/server-context.js";
import { cause } from "../../errors/field-errors.js";
import { badRequest, invalid } from "../../errors/status-errors.js";
import {
  getPath,
  isJsonObject,
  type JsonObject,
  omitKeys,
  stringsOf,
} from "../../objects/json-value.js";
import { timestamp } from "../../objects/timestamp.js";
import { administrator, type User, userInfo } from "../../objects/user.js";
import type { ResourceRequest } from "../../request/request-info.js";

// Real servers name no kind in errors about access reviews.
const review = { group: "authorization.k8s.io", kind: "" } as const;

/**
 * Serves a POST of a review of access or identity.
 *
 * @throws {StatusError} 400 and 422 for invalid reviews.
 */
export function handleReview(
  server: ServerContext,
  { resource, namespace, user = administrator }: ResourceRequest,
  body: JsonObject,
): JsonObject {
  const { access } = server;
  const { apiVersion, kind } = resource.descriptor;
  const given = isJsonObject(body["metadata"]) ? body["metadata"] : {};
  const metadata = { ...given, ...(namespace === "" ? {} : { namespace }) };
  const spec = isJsonObject(body["spec"]) ? body["spec"] : {};
  const response = (status: JsonObject, shown: JsonObject = spec): JsonObject => ({
    kind,
    apiVersion,
    metadata,
    spec: shown,
    status,
  });
  switch (kind) {
    case "SelfSubjectReview": {
      const creationTimestamp = timestamp(server.clock);
      const status = { userInfo: userInfo(user) };
      return { kind, apiVersion, metadata: { ...given, creationTimestamp }, status };
    }
    case "TokenReview":
      return response(tokenStatus(access, spec));
    case "SelfSubjectRulesReview": {
      const place = String(spec["namespace"] ?? "");
      if (place === "") {
        throw badRequest("no namespace on request");
      }
      return response(rulesStatus(access.authorizer.rulesOf(user, place)), {});
    }
    case "LocalSubjectAccessReview": {
      assertLocal(spec, namespace);
      const status = accessStatus(access, subjectOf(spec), spec);
      assertNoMetadata(omitKeys(given, "namespace"), "must be empty except for namespace");
      return response(status);
    }
    default: {
      const subject = kind === "SubjectAccessReview" ? subjectOf(spec) : user;
      const status = accessStatus(access, subject, spec);
      assertNoMetadata(given, "must be empty");
      return response(status);
    }
  }
}

function subjectOf(spec: JsonObject): User {
  const groups = stringsOf(spec["groups"]);
  const name = String(spec["user"] ?? "");
  if (name === "" && groups.length === 0) {
    const why = "at least one of user or group must be specified";
    throw invalid(review, "", [cause.invalid("spec.user", "", why)]);
  }
  const uid = String(spec["uid"] ?? "");
  const extra = spec["extra"];
  return {
    name,
    groups,
    ...(uid === "" ? {} : { uid }),
    ...(isJsonObject(extra) ? { extra: extra as Record<string, string[]> } : {}),
  };
}

function accessStatus({ authorizer }: Access, user: User, spec: JsonObject): JsonObject {
  const { resourceAttributes, nonResourceAttributes } = spec;
  const path = isJsonObject(nonResourceAttributes) ? nonResourceAttributes : undefined;
  const object = isJsonObject(resourceAttributes) ? resourceAttributes : undefined;
  if ((path === undefined) === (object === undefined)) {
    const why = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
    throw invalid(review, "", [
      cause.invalid("spec", path === undefined ? null : shown(path), why),
    ]);
  }
  const word = (from: JsonObject, key: string) => String(from[key] ?? "");
  const what =
    object === undefined
      ? attributesOf({
          isResource: false,
          path: word(path ?? {}, "path"),
          verb: word(path ?? {}, "verb"),
        })
      : attributesOf(
          Object.fromEntries(
            ["group", "name", "namespace", "resource", "subresource", "verb"].map((key) => [
              key,
              word(object, key),
            ]),
          ),
        );
  const { allowed, reason } = authorizer.authorize(user, what);
  return { allowed, ...(reason === "" ? {} : { reason }) };
}

/** Returns the fields as Go prints them when a value is not JSON. */
function shown(path: JsonObject): JsonObject {
  return { Path: path["path"] ?? "", Verb: path["verb"] ?? "" };
}

function assertLocal(spec: JsonObject, namespace: string): void {
  const path = spec["nonResourceAttributes"];
  if (isJsonObject(path)) {
    const why = "disallowed on this kind of request";
    throw invalid(review, "", [cause.invalid("spec.nonResourceAttributes", shown(path), why)]);
  }
  const place = getPath(spec, "resourceAttributes", "namespace") ?? "";
  if (isJsonObject(spec["resourceAttributes"]) && place !== namespace) {
    const field = "spec.resourceAttributes.namespace";
    throw invalid(review, "", [cause.invalid(field, place, "must match metadata.namespace")]);
  }
}

/** @throws {StatusError} 422: access reviews have no metadata. */
function assertNoMetadata(metadata: JsonObject, why: string): void {
  if (Object.keys(metadata).length > 0) {
    throw invalid(review, "", [cause.invalid("metadata", metadata, why)]);
  }
}

function rulesStatus(rules: readonly PolicyRule[]): JsonObject {
  const filled = (rule: Partial<PolicyRule>): JsonObject =>
    Object.fromEntries(Object.entries(rule).filter(([, list]) => list.length > 0));
  return {
    resourceRules: rules
      .filter(({ resources }) => resources.length > 0)
      .map((rule) => filled(omitKeys(rule as unknown as JsonObject, "nonResourceURLs"))),
    nonResourceRules: rules
      .filter(({ nonResourceURLs }) => nonResourceURLs.length > 0)
      .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    incomplete: false,
  };
}

function tokenStatus(access: Access, spec: JsonObject): JsonObject {
  const token = String(spec["token"] ?? "");
  if (token === "") {
    throw badRequest("token is required for TokenReview in authentication");
  }
  const requested = stringsOf(spec["audiences"]);
  const verified = access.tokens.verify(token);
  const user = verified?.user ?? userOfToken(access, token);
  const has = verified?.audiences ?? [issuer];
  const audiences =
    requested.length === 0
      ? has.filter((one) => one === issuer)
      : requested.filter((one) => has.includes(one));
  return user === undefined || audiences.length === 0
    ? { user: {}, error: "invalid bearer token" }
    : { authenticated: true, user: userInfo(user), audiences };
}
