import type { StatusCause } from "@typekube/core";
import { badRequest, cause, failure, invalidOptions } from "../response/status-errors.js";
import { isOn } from "./request-info.js";

/** The parameters of lists and watches, read and checked. */
export interface ListOptions {
  readonly labelSelector: string;
  readonly fieldSelector: string;
  /** "" when the request names none. */
  readonly resourceVersion: string;
  readonly resourceVersionMatch: "" | "Exact" | "NotOlderThan";
  /** 0 is no limit. */
  readonly limit: number;
  readonly continueToken: string;
  readonly timeoutSeconds: number | undefined;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean;
  /** "" when the request names none. */
  readonly shardSelector: string;
}

/** Reads and checks the parameters as apimachinery's `internalversion/validation` does. */
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

/** Reads an integer parameter as Go does. */
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

/** Reads a resourceVersion; 0 stands for an absent one and for "0". */
export function readResourceVersion(text: string, refusal: "get" | "list"): bigint {
  if (text === "") {
    return 0n;
  }
  if (!/^\d+$/.test(text)) {
    const why = `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`;
    // Only lists make a proper 400 of it; get and watch let it become a 500 without a reason.
    throw refusal === "list"
      ? badRequest(`invalid resource version: ${why}`)
      : failure(500, undefined, why);
  }
  return BigInt(text);
}
