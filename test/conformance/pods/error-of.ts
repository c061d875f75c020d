import assert from "node:assert/strict";
import { KubeError } from "@typekube/core";

/** Awaits a call that must fail, and returns its error. */
export async function errorOf(work: Promise<unknown>): Promise<KubeError> {
  const error = await work.then(
    () => assert.fail("expected an error, but the call succeeded"),
    (caught: unknown) => caught,
  );
  assert.ok(error instanceof KubeError, String(error));
  return error;
}
