/** The checks that are told one by one; nothing of a server in memory is ever unwell. */
const checks = [
  "ping",
  "log",
  "etcd",
  "informer-sync",
  "poststarthook/start-apiextensions-controllers",
  "poststarthook/rbac/bootstrap-roles",
] as const;

const endpoints: ReadonlySet<string> = new Set(["healthz", "livez", "readyz"]);

/** Whether a path asks for the server's health. */
export function isHealthPath([endpoint]: readonly string[]): boolean {
  return endpoints.has(endpoint ?? "");
}

/** What the server says of its health: as a whole, or of the check that the path names; `undefined` when it has no such check. */
export function healthText(
  [endpoint = "", ...check]: readonly string[],
  query: URLSearchParams,
): string | undefined {
  if (check.length > 0) {
    return checks.some((name) => name === check.join("/")) ? "ok" : undefined;
  }
  if (!query.has("verbose")) {
    return "ok";
  }
  const excluded = new Set(query.getAll("exclude"));
  const lines = checks.map(
    (name) => `[+]${name}${excluded.delete(name) ? " excluded: ok" : " ok"}`,
  );
  if (excluded.size > 0) {
    const names = [...excluded].sort().map((name) => JSON.stringify(name));
    lines.push(`warn: some health checks cannot be excluded: no matches for ${names.join(", ")}`);
  }
  return `${lines.join("\n")}\n${endpoint} check passed\n`;
}
