import { KubeError } from "@typekube/core";
import { isMarkedProjected } from "@typekube/core/internal";

/**
 * Rejects an object of which some fields only were read. A copy of it is not recognized.
 *
 * @param what - names the object.
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertWhole(object: unknown, what: string): void {
  if (isMarkedProjected(object)) {
    throw new KubeError(
      "InvalidArgument",
      `${what} was read with \`fields\`, so writing it would delete the fields that it lacks`,
      { hint: "patch it or apply the fields to change, or read it without `fields`" },
    );
  }
}
