import { KubeError } from "@typekube/core";
import type { CallOptions } from "../options/call-options.js";
import type { CallContext } from "../request/call-context.js";
import { requestObject } from "../request/request-object.js";

/** Response of `/version`. */
export interface ServerVersion {
  /** Major version: `1`. */
  readonly major: string;
  /** Minor version, possibly with a suffix: `37` or `37+`. */
  readonly minor: string;
  /** Full version of the release: `v1.37.1`. */
  readonly gitVersion: string;
  readonly [field: string]: string | undefined;
}

/** The minor release of Kubernetes 1 since which servers support a feature that older ones ignore or reject. */
const since = {
  /** Beta and enabled; an older server may really perform the write. */
  dryRun: 13,
  /** Beta and enabled. */
  apply: 16,
  /** Beta and enabled. */
  fieldValidation: 25,
  /** Alpha and disabled by default; older servers ignore the option. */
  unsafeDelete: 32,
} as const;

/**
 * The server's release, as known to the clients of one connection: unknown until a caller requests the version. A call
 * that succeeds never requests it.
 */
export class ServerRelease {
  #version: ServerVersion | undefined;

  /** Stores a response of `/version`. */
  learn(version: ServerVersion): void {
    this.#version = version;
  }

  /** Returns the server's release ("v1.11.3") when it is known to be too old for a feature. */
  lacks(what: keyof typeof since): string | undefined {
    const { gitVersion, major, minor } = this.#version ?? {};
    // Vendors may add a suffix to the minor: "27+".
    return major === "1" && Number.parseInt(minor ?? "", 10) < since[what] ? gitVersion : undefined;
  }
}

/** Requests a server's version (`/version`) and stores it. */
export async function requestVersion(
  context: CallContext & { readonly release: ServerRelease },
  options: CallOptions,
): Promise<ServerVersion> {
  const call = { method: "GET", path: "/version", options } as const;
  const version = (await requestObject(context, call)) as ServerVersion;
  context.release.learn(version);
  return version;
}

/**
 * Rejects a dry run on a server that is known not to support it: the write would really happen (DRY10).
 *
 * @throws {KubeError} `InvalidArgument`
 */
export function assertTries(release: ServerRelease, dryRun: string | undefined): void {
  const old = dryRun === undefined ? undefined : release.lacks("dryRun");
  if (old !== undefined) {
    throw new KubeError(
      "InvalidArgument",
      `dryRun: this server is ${old}, which ignores dryRun and would perform the write`,
      {
        hint: "dryRun requires Kubernetes 1.13 or later",
      },
    );
  }
}

/**
 * Rejects an unsafe delete on a server that is known not to support it: it would be an ordinary delete (OLD8).
 *
 * @throws {KubeError} `InvalidArgument`
 */
export function assertDeletesUnread(release: ServerRelease, isUnsafe: boolean | undefined): void {
  const old = isUnsafe ? release.lacks("unsafeDelete") : undefined;
  if (old !== undefined) {
    throw new KubeError(
      "InvalidArgument",
      `ignoreStoreReadErrorWithClusterBreakingPotential: this server is ${old} and does not support this option`,
      { hint: "requires Kubernetes 1.32 or later" },
    );
  }
}

/** Returns the warning for a write whose fields a server of this age does not validate (FLD12). */
export function uncheckedFields(
  release: ServerRelease,
  fieldValidation: string | undefined,
): string | undefined {
  const old =
    fieldValidation === "Strict" || fieldValidation === "Warn"
      ? release.lacks("fieldValidation")
      : undefined;
  return (
    old &&
    `fieldValidation=${fieldValidation} has no effect: this server is ${old}, and field validation requires Kubernetes 1.25 or later`
  );
}

/**
 * Returns the error of an apply whose media type a server rejected, with the server's release when that is the reason
 * (SSA44).
 */
export async function applyRefused(
  context: CallContext & { readonly release: ServerRelease },
  error: KubeError,
  options: CallOptions,
): Promise<KubeError> {
  await requestVersion(context, options).catch(() => undefined);
  const old = context.release.lacks("apply");
  return old === undefined
    ? error
    : new KubeError(error.code, `this server is ${old} and does not support server-side apply`, {
        hint: "requires Kubernetes 1.16 or later; use modify() or a merge patch",
        cause: error,
        status: error.status,
        httpStatus: error.httpStatus,
        request: error.request,
      });
}
