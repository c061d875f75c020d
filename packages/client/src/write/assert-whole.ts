import { KubeError } from "@typekube/core";
import { hasMarkedMetadata, isMarkedProjected } from "@typekube/core/internal";

/**
 * Rejects an object of which some fields only were read, for a call whose object has no metadata to lose: that of such an
 * object is accepted in another one. A copy is not recognized.
 *
 * @param what - names the object.
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertUnprojected(object: unknown, what: string): void {
  if (isMarkedProjected(object)) {
    throw lacking(what, "patch it or apply the fields to change, or read it without `fields`");
  }
}

/**
 * Rejects an object of which some fields only were read, and an object with the metadata of one, for a call that sends
 * a whole object or all that somebody applies: what it lacks would be deleted. A copy is not recognized.
 *
 * @param what - names the object.
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertWhole(object: unknown, what: string): void {
  assertUnprojected(object, what);
  if (hasMarkedMetadata(object)) {
    throw lacking(
      `the metadata of ${what}`,
      "patch the object, or read it without `fields`; to apply, or for a new object, write the fields of its metadata one by one",
    );
  }
}

function lacking(what: string, hint: string): KubeError {
  return new KubeError(
    "InvalidArgument",
    `${what} was read with \`fields\`, so writing it would delete the fields that it lacks`,
    { hint },
  );
}
