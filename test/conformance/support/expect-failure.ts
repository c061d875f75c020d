import assert from "node:assert/strict";
import {
  KubeError,
  type KubeErrorCode,
  type StatusCause,
  type StatusDetails,
} from "@typekube/core";

/** Expected error response. Omitted fields are not compared. */
export interface ExpectedFailure {
  /** HTTP status in the Status. */
  readonly code: number;
  readonly reason: KubeErrorCode;
  readonly message?: RegExp | string;
  /** Details without their causes. */
  readonly details?: Omit<StatusDetails, "causes">;
  readonly causes?: readonly StatusCause[];
}

/** Awaits an error response and compares its Status. */
export async function expectFailure(
  work: Promise<unknown>,
  expected: ExpectedFailure,
): Promise<KubeError> {
  const error = await work.then(
    () => assert.fail(`expected ${expected.reason}, but the server agreed`),
    (caught: unknown) => caught,
  );
  if (!(error instanceof KubeError) || error.status === undefined) {
    throw error;
  }
  const { status } = error;
  const { causes = [], ...details } = status.details ?? {};
  assert.deepEqual(
    { code: status.code, reason: error.code, status: status.status },
    { code: expected.code, reason: expected.reason, status: "Failure" },
    status.message,
  );
  if (expected.message instanceof RegExp) {
    assert.match(status.message ?? "", expected.message);
  } else if (expected.message !== undefined) {
    assert.equal(status.message, expected.message);
  }
  if (expected.details) {
    assert.deepEqual(details, expected.details);
  }
  if (expected.causes) {
    assert.deepEqual(causes, expected.causes);
  }
  return error;
}
