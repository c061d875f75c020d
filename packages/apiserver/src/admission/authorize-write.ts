import { attributesOf } from "../access/access-attributes.js";
import { accessDenied } from "../access/refusals.js";
import type { ServerContext } from "../context/server-context.js";
import type { Write } from "../context/write.js";
import { forbidden } from "../errors/status-errors.js";
import type { ApiObject } from "../objects/api-object.js";
import { getPath } from "../objects/json-value.js";
import type { ResourceRequest } from "../request/request-info.js";
import { assertNoEscalation } from "./assert-no-escalation.js";

/**
 * Makes the checks that need the resulting object: an update or apply that creates also needs `create`, a decision on a
 * certificate signing request needs `approve` for its signer, and RBAC writes must not escalate privileges.
 *
 * @throws {StatusError} 403.
 */
export function authorizeWrite(
  write: Write,
  object: ApiObject,
  before: ApiObject | undefined,
): void {
  const { access } = write.server;
  const { verb, user, resource, namespace, subresource } = write.request;
  if (user === undefined || !access.checksRights) {
    return;
  }
  if (before === undefined && verb !== "create") {
    const what = attributesOf({
      verb: "create",
      group: resource.group,
      resource: resource.plural,
      namespace,
      name: object.metadata.name ?? "",
    });
    const { allowed, reason } = access.authorizer.authorize(user, what);
    if (!allowed) {
      throw accessDenied(user, what, reason);
    }
  }
  if (resource.group === "certificates.k8s.io" && subresource === "approval") {
    assertMayApprove(write, String(getPath(before, "spec", "signerName") ?? ""));
  }
  assertNoEscalation(access, write, object, before);
}

/** Checks `approve` for one signer, or for all signers of its domain: `example.com/*`. */
function assertMayApprove({ server, request }: Write, signer: string): void {
  const { user, resource } = request;
  const domain = `${signer.split("/")[0]}/*`;
  const isAllowed = [signer, domain].some(
    (name) =>
      user !== undefined &&
      server.access.authorizer.authorize(
        user,
        attributesOf({ verb: "approve", group: resource.group, resource: "signers", name }),
      ).allowed,
  );
  if (!isAllowed) {
    const why = `user not permitted to approve requests with signerName ${JSON.stringify(signer)}`;
    throw forbidden(resource, request.name, why);
  }
}

/**
 * Checks the separate permission to delete an object that can't be read.
 *
 * @throws {StatusError} 403.
 */
export function authorizeUnsafeDelete(
  { access }: ServerContext,
  { user, resource, namespace, name }: ResourceRequest,
): void {
  const verb = "unsafe-delete-ignore-read-errors";
  const what = attributesOf({
    verb,
    group: resource.group,
    resource: resource.plural,
    namespace,
    name,
  });
  if (user === undefined || !access.checksRights) {
    return;
  }
  const { allowed, reason } = access.authorizer.authorize(user, what);
  if (!allowed) {
    throw forbidden(resource, name, `not permitted to do "${verb}", reason: ${reason}`);
  }
}
