import { KubeError } from "@typekube/core";
import { exchangeObject } from "./exchange-object.js";
import type { Exchanging } from "./exchanging.js";
import type { CallOptions } from "./options.js";

/** The answer of `/version`. */
export interface ServerVersion {
  readonly major: string;
  readonly minor: string;
  readonly gitVersion: string;
  readonly [field: string]: string | undefined;
}

/** The minor release of Kubernetes 1 in which servers began to heed something that older ones ignore or refuse. */
const since = {
  /** Beta and on; before it a server may really do what is to be tried. */
  dryRun: 13,
  /** Beta and on. */
  apply: 16,
  /** Beta and on. */
  fieldValidation: 25,
  /** Alpha and to be switched on; before it the option is ignored. */
  unsafeDelete: 32,
} as const;

/**
 * What the clients of one connection know of their server's release: nothing until somebody asks for its version. Nothing is asked
 * on the way of a call that works.
 */
export class ServerRelease {
  #version: ServerVersion | undefined;

  /** Remembers an answer of `/version`. */
  learn(version: ServerVersion): void {
    this.#version = version;
  }

  /** The server's own name for its release ("v1.11.3") where it is known to be too old for something. */
  lacks(what: keyof typeof since): string | undefined {
    const { gitVersion, major, minor } = this.#version ?? {};
    // A minor may carry a sign of whoever built the server: "27+".
    return major === "1" && Number.parseInt(minor ?? "", 10) < since[what] ? gitVersion : undefined;
  }
}

/** Asks a server for its version (`/version`), and remembers it. */
export async function requestVersion(
  context: Exchanging & { readonly release: ServerRelease },
  options: CallOptions,
): Promise<ServerVersion> {
  const call = { method: "GET", path: "/version", options } as const;
  const version = (await exchangeObject(context, call)) as ServerVersion;
  context.release.learn(version);
  return version;
}

/**
 * Refuses a dry run on a server that is known not to have it: it would really do what was to be tried (DRY10).
 *
 * @throws {KubeError} `InvalidArgument`
 */
export function assertTries(release: ServerRelease, dryRun: string | undefined): void {
  const old = dryRun === undefined ? undefined : release.lacks("dryRun");
  if (old !== undefined) {
    throw new KubeError(
      "InvalidArgument",
      `dryRun: this server is ${old}, ignores dryRun and would really write`,
      {
        hint: "dryRun requires Kubernetes 1.13 or later",
      },
    );
  }
}

/**
 * Refuses to delete what cannot be read on a server that is known not to have that: it would be an ordinary delete (OLD8).
 *
 * @throws {KubeError} `InvalidArgument`
 */
export function assertDeletesUnread(release: ServerRelease, isUnsafe: boolean | undefined): void {
  const old = isUnsafe ? release.lacks("unsafeDelete") : undefined;
  if (old !== undefined) {
    throw new KubeError(
      "InvalidArgument",
      `ignoreStoreReadErrorWithClusterBreakingPotential: this server is ${old} and does not know it`,
      { hint: "requires Kubernetes 1.32 or later" },
    );
  }
}

/** What is to be told of a write whose fields a server of this age does not check (FLD12). */
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
    `fieldValidation=${fieldValidation} has no effect: this server is ${old}, and servers validate fields from Kubernetes 1.25 on`
  );
}

/** The error of an apply whose media type a server refused: with the server's release, where that is why (SSA44). */
export async function applyRefused(
  context: Exchanging & { readonly release: ServerRelease },
  error: KubeError,
  options: CallOptions,
): Promise<KubeError> {
  await requestVersion(context, options).catch(() => undefined);
  const old = context.release.lacks("apply");
  return old === undefined
    ? error
    : new KubeError(error.code, `this server is ${old} and does not know server-side apply`, {
        hint: "requires Kubernetes 1.16 or later; use modify() or a merge patch",
        cause: error,
        status: error.status,
        httpStatus: error.httpStatus,
        request: error.request,
      });
}
