import assert from "node:assert/strict";
import {
  KubeError,
  type KubeErrorCode,
  type StatusCause,
  type StatusDetails,
} from "@typekube/core";

/** What the server must say when it refuses. What is left out is not looked at. */
export interface ExpectedFailure {
  /** The HTTP status, as the Status has it. */
  readonly code: number;
  readonly reason: KubeErrorCode;
  readonly message?: RegExp | string;
  /** The details without their causes. */
  readonly details?: Omit<StatusDetails, "causes">;
  readonly causes?: readonly StatusCause[];
}

/** Awaits a refusal and compares what the server said about it. */
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
