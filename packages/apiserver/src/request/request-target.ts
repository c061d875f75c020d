/** Parses a request target as a URL: a path, or an absolute URL as sent to proxies. Anything else is treated as a path. */
export function targetUrl(target: string): URL {
  if (!target.startsWith("/") && URL.canParse(target)) {
    return new URL(target);
  }
  return new URL(`http://embedded${target.startsWith("/") ? "" : "/"}${target}`);
}
