import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { KubeError } from "@typekube/core";
import { expect } from "vitest";

/** A temporary folder that is removed after the test. */
export interface TestFolder extends AsyncDisposable {
  readonly path: string;
  /** Writes a file, creates its folders, and returns its path. Objects become JSON. */
  write(name: string, content: object | string): Promise<string>;
}

export async function folder(): Promise<TestFolder> {
  const path = await mkdtemp(join(tmpdir(), "typekube-"));
  return {
    path,
    async write(name, content) {
      const file = join(path, name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
      return file;
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

/** Returns a kubeconfig with one context `main`; tests override its parts. */
export function kubeconfig(
  parts: { cluster?: object; user?: object; context?: object; extra?: object } = {},
): Record<string, unknown> {
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "main",
    clusters: [{ name: "c", cluster: parts.cluster ?? { server: "https://kube:6443" } }],
    users: [{ name: "u", user: parts.user ?? { token: "t" } }],
    contexts: [{ name: "main", context: { cluster: "c", user: "u", ...parts.context } }],
    ...parts.extra,
  };
}

/** Returns the KubeError that a promise rejects with; always `Config` in this package. */
export async function failure(promise: Promise<unknown>): Promise<KubeError> {
  try {
    await promise;
  } catch (error) {
    expect(error).toBeInstanceOf(KubeError);
    expect((error as KubeError).code).toBe("Config");
    return error as KubeError;
  }
  throw new Error("it did not fail");
}
