import { type HttpRequest, type HttpResponse, mediaTypes } from "@typekube/core/internal";
import { impersonationHeaders } from "@typekube/transport";
import { ensureOk } from "@typekube/transport/internal";
import type { PodTarget } from "../pod-target/pod-target.js";
import { errorOptions } from "../request/call-context.js";
import { type Query, withQuery } from "../request/query.js";
import { emitWarnings } from "../request/warnings.js";
import type { LogOptions } from "./log-options.js";

/**
 * Requests a log and returns the response, whose body is the log.
 *
 * @throws {KubeError} the server's refusal. A log is text, and an error is a Status.
 */
export async function openLog(
  { context, path }: PodTarget,
  query: Query,
  options: LogOptions,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const somebody = options.impersonate ?? context.defaults.impersonate;
  const request: HttpRequest = {
    method: "GET",
    path: withQuery(`${path}/log`, query),
    headers: {
      accept: `${mediaTypes.json}, */*`,
      ...(somebody ? impersonationHeaders(somebody) : {}),
    },
    mode: "stream",
    signal,
    timeoutMs: options.timeoutMs ?? context.defaults.timeoutMs,
  };
  const response = await context.send(request);
  try {
    emitWarnings(context, options, response.headers["warning"]);
  } catch (error) {
    await response.body[Symbol.asyncIterator]().return?.();
    throw error;
  }
  await ensureOk(request, response, errorOptions(context));
  return response;
}
