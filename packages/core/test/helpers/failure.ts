import { KubeError } from "@typekube/core";
import { expect } from "vitest";

/** The KubeError that a promise fails with. */
export async function failure(promise: Promise<unknown>): Promise<KubeError> {
  try {
    await promise;
  } catch (error) {
    expect(error).toBeInstanceOf(KubeError);
    return error as KubeError;
  }
  throw new Error("it did not fail");
}

/** The KubeError that a function throws. */
export function thrown(run: () => unknown): Promise<KubeError> {
  return failure(Promise.resolve().then(run));
}
