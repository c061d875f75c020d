/** The target of a request, read as a URL: a path, or a whole URL as proxies get it. Whatever else it is reads as a path. */
export function targetUrl(target: string): URL {
  if (!target.startsWith("/") && URL.canParse(target)) {
    return new URL(target);
  }
  return new URL(`http://embedded${target.startsWith("/") ? "" : "/"}${target}`);
}
