import type { StatusCause } from "@typekube/core";
import { cause } from "../errors/field-errors.js";
import { badRequest, failure, invalidOptions } from "../errors/status-errors.js";
import { isOn } from "./request-info.js";

/** Parsed and validated parameters of lists and watches. */
export interface ListOptions {
  readonly labelSelector: string;
  readonly fieldSelector: string;
  /** Empty when the request has none. */
  readonly resourceVersion: string;
  readonly resourceVersionMatch: "" | "Exact" | "NotOlderThan";
  /** 0 for no limit. */
  readonly limit: number;
  readonly continueToken: string;
  readonly timeoutSeconds: number | undefined;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean;
  /** Empty when the request has none. */
  readonly shardSelector: string;
}

/** Parses and validates the parameters like apimachinery's `internalversion/validation`. */
export function readListOptions(query: URLSearchParams, watch: boolean): ListOptions {
  const match = query.get("resourceVersionMatch") ?? "";
  const options: ListOptions = {
    labelSelector: query.get("labelSelector") ?? "",
    fieldSelector: query.get("fieldSelector") ?? "",
    resourceVersion: query.get("resourceVersion") ?? "",
    resourceVersionMatch: match as ListOptions["resourceVersionMatch"],
    limit: Math.max(0, readInteger(query.get("limit")) ?? 0),
    continueToken: query.get("continue") ?? "",
    timeoutSeconds: readInteger(query.get("timeoutSeconds")),
    allowWatchBookmarks: isOn(query.get("allowWatchBookmarks")),
    sendInitialEvents: isOn(query.get("sendInitialEvents")),
    shardSelector: query.get("shardSelector") ?? "",
  };
  const initial = query.get("sendInitialEvents");
  const causes = watch
    ? validateWatch(options, initial !== null && initial !== "")
    : validateList(options, initial);
  if (causes.length > 0) {
    throw invalidOptions("ListOptions", causes);
  }
  return options;
}

const field = "resourceVersionMatch";
const matches = ["Exact", "NotOlderThan"];

function validateList(options: ListOptions, initialEvents: string | null): StatusCause[] {
  const causes: StatusCause[] = [];
  const { resourceVersionMatch: match, resourceVersion, continueToken } = options;
  if (match !== "") {
    if (resourceVersion === "") {
      causes.push(
        cause.forbidden(field, `${field} is forbidden unless resourceVersion is provided`),
      );
    }
    if (continueToken !== "") {
      causes.push(cause.forbidden(field, `${field} is forbidden when continue is provided`));
    }
    if (!matches.includes(match)) {
      causes.push(cause.notSupported(field, match, [...matches, ""]));
    }
    if (match === "Exact" && resourceVersion === "0") {
      causes.push(cause.forbidden(field, `${field} "exact" is forbidden for resourceVersion "0"`));
    }
  }
  if (initialEvents !== null && initialEvents !== "") {
    causes.push(cause.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  }
  return causes;
}

function validateWatch(
  { resourceVersionMatch: match, continueToken }: ListOptions,
  initial: boolean,
): StatusCause[] {
  const causes: StatusCause[] = [];
  if (initial && match !== "NotOlderThan") {
    causes.push(
      cause.forbidden(field, `sendInitialEvents requires setting ${field} to NotOlderThan`),
    );
  }
  if (!initial && match !== "") {
    causes.push(
      cause.forbidden(
        field,
        `${field} is forbidden for watch unless sendInitialEvents is provided`,
      ),
    );
  }
  if (match !== "" && match !== "NotOlderThan") {
    causes.push(cause.notSupported(field, match, ["NotOlderThan"]));
  }
  if (continueToken !== "") {
    causes.push(cause.forbidden(field, `${field} is forbidden when continue is provided`));
  }
  return causes;
}

/** Parses an integer parameter like Go. */
export function readInteger(text: string | null): number | undefined {
  if (text === null) {
    return undefined;
  }
  if (!/^[-+]?\d+$/.test(text)) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  if (BigInt.asIntN(64, BigInt(text)) !== BigInt(text)) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`);
  }
  return Number(text);
}

/** Parses a resourceVersion; returns 0 when it is absent or "0". */
export function readResourceVersion(text: string, refusal: "get" | "list"): bigint {
  if (text === "") {
    return 0n;
  }
  if (!/^\d+$/.test(text)) {
    const why = `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`;
    // Only lists respond with a proper 400; for get and watch it becomes a 500 without a reason.
    throw refusal === "list"
      ? badRequest(`invalid resource version: ${why}`)
      : failure(500, undefined, why);
  }
  return BigInt(text);
}
