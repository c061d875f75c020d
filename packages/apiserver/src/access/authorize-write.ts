import type { ResourceRequest } from "../request/request-info.js";
import { forbidden } from "../response/status-errors.js";
import type { ServerContext } from "../server-context.js";
import { getPath } from "../store/json-value.js";
import type { ApiObject } from "../store/stored-object.js";
import type { Write } from "../write/write.js";
import { attributesOf } from "./access-attributes.js";
import { assertNoEscalation } from "./rbac/assert-no-escalation.js";
import { accessDenied } from "./refusals.js";

/**
 * What can be judged only when it is known what a write will leave: that an update or an apply which creates may
 * create, that who decides on a certificate may do so for its signer, and that nobody grants what they do not have.
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

/** A right for one signer, or for all of its domain: `example.com/*`. */
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
 * Deleting what cannot be read is a right of its own.
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
