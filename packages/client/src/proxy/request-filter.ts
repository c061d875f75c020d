import type { ServeProxyOptions } from "./serve-proxy-options.js";

/** Parts of a request that a local proxy decides by. */
export interface FilteredRequest {
  readonly method: string;
  /** The request's target: path and query. */
  readonly target: string;
  /** The `Host` header. */
  readonly host: string;
  /** The `Origin` header of a browser's page. */
  readonly origin?: string | undefined;
  /** The `Sec-Fetch-Site` header of a browser: where the request comes from, also where it has no origin. */
  readonly fetchSite?: string | undefined;
  /** The `Sec-Fetch-User` header of a browser: `?1` when its user followed a link. */
  readonly fetchUser?: string | undefined;
}

// kubectl `proxy.DefaultHostAcceptRE` and `DefaultPathRejectRE`
const defaults = {
  acceptHosts: [/^localhost$/, /^127\.0\.0\.1$/, /^\[::1\]$/],
  acceptPaths: [/^/],
  rejectPaths: [/^\/api\/.*\/pods\/.*\/exec/, /^\/api\/.*\/pods\/.*\/attach/],
  rejectMethods: [],
};

/**
 * Returns why a local proxy rejects a request; `undefined` for one that it passes on.
 *
 * Paths are matched decoded and without repeated slashes, so that no other spelling of a rejected path is accepted. A
 * page of another site cannot use the proxy either: its origin is not an accepted host. Requests for images and scripts
 * have no origin, but say that they come from another site; a link that the user follows is accepted.
 */
export function rejectionOf(
  { method, target, host, origin, fetchSite, fetchUser }: FilteredRequest,
  options: ServeProxyOptions,
): string | undefined {
  const acceptHosts = options.acceptHosts ?? defaults.acceptHosts;
  const acceptPaths = options.acceptPaths ?? defaults.acceptPaths;
  const rejectPaths = options.rejectPaths ?? defaults.rejectPaths;
  const rejectMethods = options.rejectMethods ?? defaults.rejectMethods;
  const path = decodedPath(target);
  if (path === undefined) {
    return "the path is invalid";
  }
  if (matches(rejectPaths, path) || !matches(acceptPaths, path)) {
    return "the path is not accepted";
  }
  if (matches(rejectMethods, method)) {
    return "the method is not accepted";
  }
  if (!matches(acceptHosts, nameOf(host))) {
    return "the host is not accepted";
  }
  if (origin === undefined) {
    const isOwn = ["same-origin", "none"].includes(fetchSite ?? "none") || fetchUser === "?1";
    return isOwn ? undefined : "requests of other sites are not accepted";
  }
  const site = URL.canParse(origin) ? nameOf(new URL(origin).host) : undefined;
  return site === undefined || !matches(acceptHosts, site)
    ? "the origin is not accepted"
    : undefined;
}

function matches(patterns: readonly RegExp[], text: string): boolean {
  // A pattern with the flag g or y would remember where it stopped.
  return patterns.some((pattern) => text.search(pattern) >= 0);
}

/** Returns the path as servers may read it; `undefined` when it has no clear reading. */
function decodedPath(target: string): string | undefined {
  try {
    const [raw = ""] = target.split(/[?#]/);
    const path = decodeURIComponent(raw).replaceAll(/\/{2,}/g, "/");
    const isClear = path.startsWith("/") && !path.split("/").some((part) => /^\.{1,2}$/.test(part));
    return isClear && !/[\0\\]/.test(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the name in `name:port`; an IPv6 address keeps its brackets. */
function nameOf(host: string): string {
  return host.replace(/:\d+$/, "");
}
