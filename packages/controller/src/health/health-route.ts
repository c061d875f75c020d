import {
  type PlainRequest,
  type PlainResponse,
  type Route,
  textResponse,
} from "../http/http-listener.js";
import type { CheckSet } from "./check-set.js";

/** Called for each check that failed, for the log: responses don't contain reasons. */
export type OnFailedCheck = (path: string, name: string, error: Error) => void;

/**
 * Returns a route that serves checks as controller-runtime and the API server do: `/healthz` runs all of them, `?verbose`
 * lists them, `?exclude=name` leaves one out, `/healthz/name` runs one.
 *
 * @param root - `/healthz`.
 * @param notes - returns lines that `?verbose` shows besides the checks. Default: none.
 */
export function healthRoute(
  root: string,
  checks: CheckSet,
  onFailed: OnFailedCheck,
  notes: () => readonly string[] = () => [],
): Route {
  return (request: PlainRequest) => {
    const path = request.path.replace(/\/+$/, "");
    if (path === root) {
      return runAll(root, checks, request, onFailed, notes);
    }
    const name = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : "";
    return checks.has(name) ? runOne(name, checks) : undefined;
  };
}

async function runOne(name: string, checks: CheckSet): Promise<PlainResponse> {
  const error = await checks.run(name);
  return error === undefined
    ? textResponse(200, "ok")
    : textResponse(500, `internal server error: ${error.message}\n`);
}

async function runAll(
  root: string,
  checks: CheckSet,
  { query }: PlainRequest,
  onFailed: OnFailedCheck,
  notes: () => readonly string[],
): Promise<PlainResponse> {
  const excluded = new Set(query.getAll("exclude"));
  const { names } = checks;
  const lines = await Promise.all(
    names.map(async (name) => {
      if (excluded.has(name)) {
        return `[+]${name} excluded: ok`;
      }
      const error = await checks.run(name);
      if (error === undefined) {
        return `[+]${name} ok`;
      }
      onFailed(root, name, error);
      return `[-]${name} failed: reason withheld`;
    }),
  );
  const isFailed = lines.some((line) => line.startsWith("[-]"));
  if (!isFailed && !query.has("verbose")) {
    return textResponse(200, "ok");
  }
  const unknown = [...excluded].filter((name) => !checks.has(name));
  if (unknown.length > 0) {
    const quoted = unknown.map((name) => JSON.stringify(name)).join(",");
    lines.push(`warn: some health checks cannot be excluded: no matches for ${quoted}`);
  }
  lines.push(...notes());
  lines.push(`${root.slice(1)} check ${isFailed ? "failed" : "passed"}`, "");
  return textResponse(isFailed ? 500 : 200, lines.join("\n"));
}
