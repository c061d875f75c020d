import type { HttpResponse } from "@typekube/core";
import { healthText } from "../discovery/health.js";
import type { SplitPath } from "../request/request-info.js";
import { textResponse } from "../response/responses.js";

/**
 * What a server that is being shut down says of its readiness; `undefined` for other paths. It lives and answers still:
 * only load balancers are to send nobody any more. (apiserver `--shutdown-delay-duration`)
 */
export function drainingAnswer({ segments }: SplitPath): HttpResponse | undefined {
  const [endpoint, check] = segments;
  if (endpoint !== "readyz") {
    return undefined;
  }
  if (check !== undefined) {
    return check === "shutdown"
      ? textResponse(500, "internal server error: process is shutting down\n")
      : undefined;
  }
  const verbose = healthText(["readyz"], new URLSearchParams("verbose")) ?? "";
  const passed = verbose.split("\n").filter((line) => /^\[\+\](?!shutdown )/.test(line));
  const lines = [...passed, "[-]shutdown failed: reason withheld", "readyz check failed"];
  return textResponse(500, `${lines.join("\n")}\n`);
}
