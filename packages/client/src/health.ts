import { KubeError } from "@typekube/core";
import type { HttpResponse } from "@typekube/core/internal";
import { assertIsOptions } from "./call-options.js";
import type { Exchanging } from "./exchanging.js";
import type { CallOptions } from "./options.js";
import { sendRaw } from "./raw-request.js";

/**
 * What is asked: `livez` whether the server is beyond recovery when it fails, `readyz` whether it can take requests now.
 * `healthz` is the older form of both, for servers before 1.16.
 */
export type HealthEndpoint = "healthz" | "livez" | "readyz";

/** How a server's health is asked for. */
export interface HealthOptions extends CallOptions {
  /** Have each check told. Default true; false asks for the verdict alone, and the list of checks stays empty unless it fails. */
  readonly verbose?: boolean | undefined;
  /** Names of checks that are left out of the verdict. Servers take names that they do not know. */
  readonly exclude?: readonly string[] | undefined;
  /** One check alone, by the name that the list has: `etcd`, `poststarthook/rbac/bootstrap-roles`. */
  readonly check?: string | undefined;
}

/** One check of a server. */
export interface HealthCheck {
  readonly name: string;
  readonly ok: boolean;
  /** It was left out as asked, so it says nothing. */
  readonly excluded: boolean;
  /** What stands behind the verdict; servers say `reason withheld` to most. */
  readonly message: string;
}

/** What a server says of its health. */
export interface Health {
  readonly endpoint: HealthEndpoint;
  /** The verdict, which is the HTTP status. */
  readonly ok: boolean;
  /** The checks, in the server's order; their names may change with any release. */
  readonly checks: readonly HealthCheck[];
  /** The answer as the server wrote it, for people. */
  readonly text: string;
}

/**
 * Asks a server for its health. That it is not well is an answer; that it cannot be asked is an error.
 *
 * @throws {KubeError} `Unauthorized`, `Forbidden` when this user may not ask, which says nothing about the health;
 * `NotFound` for a check that there is none of; the network's errors.
 */
export async function requestHealth(
  context: Exchanging,
  endpoint: HealthEndpoint,
  options: HealthOptions = {},
): Promise<Health> {
  assertIsOptions(options);
  const { verbose = true, exclude, check, ...call } = options;
  if (!["healthz", "livez", "readyz"].includes(endpoint)) {
    throw new KubeError("InvalidArgument", "health: must be livez, readyz or healthz");
  }
  const path = check === undefined ? `/${endpoint}` : `/${endpoint}/${checkPath(check)}`;
  const query = { verbose: verbose && check === undefined ? "true" : undefined, exclude };
  const raw = { ...call, path, query, headers: { accept: "text/plain, */*" } };
  const response = await sendRaw(context, raw, isFailedCheck);
  const ok = response.status !== 500;
  const text = await response.text();
  const checks =
    check === undefined ? readChecks(text) : [{ name: check, ok, excluded: false, message: "" }];
  return { endpoint, ok, checks, text };
}

/** The slashes of a name are part of the path. */
function checkPath(check: string): string {
  return check
    .split("/")
    .map((part) => encodeURIComponent(part).replaceAll("%3A", ":"))
    .join("/");
}

/** A server that fails its checks says so in text; a Status with that number is a failure of the request itself. */
function isFailedCheck({ status, headers }: HttpResponse): boolean {
  return status === 500 && (headers["content-type"] ?? "text/plain").startsWith("text/plain");
}

/** `[+]etcd ok`, `[-]etcd failed: reason withheld`, `[+]etcd excluded: ok`. */
export function readChecks(text: string): HealthCheck[] {
  return [...text.matchAll(/^\[([+-])\](\S+) (.*)$/gm)].map(([, sign, name = "", rest = ""]) => ({
    name,
    ok: sign === "+",
    excluded: rest.startsWith("excluded"),
    message: rest,
  }));
}
