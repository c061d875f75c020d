import { KubeError } from "@typekube/core";
import type { HttpResponse } from "@typekube/core/internal";
import { assertIsOptions } from "../options/call-options.js";
import type { HealthOptions } from "../options/health-options.js";
import type { CallContext } from "../request/call-context.js";
import { sendRaw } from "./raw-request.js";

/**
 * A health endpoint. `livez` fails when the server is beyond recovery, `readyz` succeeds when the server can take
 * requests now. `healthz` is the older form of both, for servers before 1.16.
 */
export type HealthEndpoint = "healthz" | "livez" | "readyz";

/** The result of one check. */
export interface HealthCheck {
  /** Name of the check, such as `etcd`. */
  readonly name: string;
  /** `true` when the check succeeded. */
  readonly ok: boolean;
  /** `true` when the request excluded the check; `ok` then means nothing. */
  readonly excluded: boolean;
  /** The text behind the name of the check, such as `ok`; most users see `failed: reason withheld`. */
  readonly message: string;
}

/** The health that a server reports. */
export interface Health {
  /** The requested endpoint. */
  readonly endpoint: HealthEndpoint;
  /** The verdict, from the HTTP status. */
  readonly ok: boolean;
  /** The checks, in the server's order. Their names may change with any release. */
  readonly checks: readonly HealthCheck[];
  /** The response text as the server wrote it, for people. */
  readonly text: string;
}

/**
 * Requests the health of a server. An unhealthy server is a result; a request that fails is an error.
 *
 * @throws {KubeError} `Unauthorized` or `Forbidden` when this user may not request it, which is no statement about the
 * health; `NotFound` for an unknown check; network errors.
 */
export async function requestHealth(
  context: CallContext,
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

/** Encodes the name of a check for the path. Its slashes are part of the path. */
function checkPath(check: string): string {
  return check
    .split("/")
    .map((part) => encodeURIComponent(part).replaceAll("%3A", ":"))
    .join("/");
}

/**
 * Returns true for failed checks, which the server reports as text. A Status with code 500 is a failure of the request
 * itself.
 */
function isFailedCheck({ status, headers }: HttpResponse): boolean {
  return status === 500 && (headers["content-type"] ?? "text/plain").startsWith("text/plain");
}

/** Parses lines such as `[+]etcd ok`, `[-]etcd failed: reason withheld`, `[+]etcd excluded: ok`. */
export function readChecks(text: string): HealthCheck[] {
  return [...text.matchAll(/^\[([+-])\](\S+) (.*)$/gm)].map(([, sign, name = "", rest = ""]) => ({
    name,
    ok: sign === "+",
    excluded: rest.startsWith("excluded"),
    message: rest,
  }));
}
