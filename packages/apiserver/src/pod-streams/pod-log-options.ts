import type { StatusCause } from "@typekube/core";
import { cause } from "../errors/field-errors.js";
import { badRequest, invalid } from "../errors/status-errors.js";
import { isOn } from "../request/request-info.js";
import type { PodLogRequest } from "./pod-handlers.js";

/** Log options given in the query of a request. */
export type PodLogOptions = Pick<
  PodLogRequest,
  "follow" | "limitBytes" | "previous" | "sinceMs" | "tailLines" | "timestamps"
>;

/**
 * Parses and validates `PodLogOptions`.
 *
 * @param nowMs - current time, from which `sinceSeconds` is subtracted.
 * @throws {StatusError} 400 for an invalid number or time, 422 for values out of range.
 */
export function readPodLogOptions(
  query: URLSearchParams,
  podName: string,
  nowMs: number,
): PodLogOptions {
  const tailLines = integer(query.get("tailLines"));
  const limitBytes = integer(query.get("limitBytes"));
  const sinceSeconds = integer(query.get("sinceSeconds"));
  const sinceTime = time(query.get("sinceTime"));
  const causes: StatusCause[] = [];
  if (tailLines !== undefined && tailLines < 0) {
    causes.push(cause.invalid("tailLines", tailLines, "must be greater than or equal to 0"));
  }
  if (limitBytes !== undefined && limitBytes < 1) {
    causes.push(cause.invalid("limitBytes", limitBytes, "must be greater than 0"));
  }
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    const why = "at most one of `sinceTime` or `sinceSeconds` may be specified";
    causes.push(cause.forbidden("[]", why));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    causes.push(cause.invalid("sinceSeconds", sinceSeconds, "must be greater than 0"));
  }
  if (query.has("stream")) {
    causes.push(cause.forbidden("stream", "may not be specified"));
  }
  if (causes.length > 0) {
    throw invalid({ group: "", kind: "PodLogOptions" }, podName, causes);
  }
  return {
    follow: isOn(query.get("follow")),
    previous: isOn(query.get("previous")),
    timestamps: isOn(query.get("timestamps")),
    tailLines,
    limitBytes,
    sinceMs: sinceSeconds === undefined ? sinceTime : nowMs - sinceSeconds * 1_000,
  };
}

function integer(text: string | null): number | undefined {
  if (text === null || text === "") {
    return undefined;
  }
  if (!/^[+-]?\d{1,18}$/.test(text)) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  return Number(text);
}

function time(text: string | null): number | undefined {
  if (text === null || text === "") {
    return undefined;
  }
  const ms = Date.parse(text);
  if (!/^\d{4}-\d\d-\d\dT/.test(text) || Number.isNaN(ms)) {
    const shown = JSON.stringify(text);
    throw badRequest(
      `parsing time ${shown} as "2006-01-02T15:04:05Z07:00": cannot parse ${shown} as "2006"`,
    );
  }
  // The API server passes it to the kubelet in whole seconds. (kubernetes `registry/core/pod/strategy.go`)
  return Math.floor(ms / 1_000) * 1_000;
}
