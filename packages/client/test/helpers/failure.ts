import { KubeError } from "@typekube/core";
import { expect } from "vitest";

/** Returns the KubeError that a promise rejects with. */
export async function failure(promise: Promise<unknown>): Promise<KubeError> {
  try {
    await promise;
  } catch (error) {
    expect(error).toBeInstanceOf(KubeError);
    return error as KubeError;
  }
  throw new Error("it did not fail");
}

/** Collects everything that an iterable yields. */
export async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of source) {
    found.push(one);
  }
  return found;
}
