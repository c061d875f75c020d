import {
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isExpired,
  isForbidden,
  isGone,
  isInternalError,
  isInvalid,
  isMethodNotAllowed,
  isNetworkError,
  isNotAcceptable,
  isNotFound,
  isRequestEntityTooLarge,
  isServerTimeout,
  isServiceUnavailable,
  isStorageReadError,
  isTimeout,
  isTooLargeResourceVersion,
  isTooManyRequests,
  isUnauthorized,
  isUnexpectedServerError,
  isUnsupportedMediaType,
  KubeError,
  kubeErrorCodes,
  type Status,
} from "@typekube/core";
import { describe, expect, it } from "vitest";

/** Returns the class of a second copy of the package. */
async function otherCopy(): Promise<typeof KubeError> {
  const url = "../../src/errors/kube-error.js?copy";
  return ((await import(/* @vite-ignore */ url)) as { KubeError: typeof KubeError }).KubeError;
}

describe("KubeError", () => {
  it("its message contains the code, the text, the request and the hint", () => {
    const error = new KubeError("NotFound", 'pods "a" not found', {
      request: { method: "GET", path: "/api/v1/namespaces/b/pods/a" },
      hint: "look elsewhere",
    });
    expect(error.message).toBe(
      '[NotFound] pods "a" not found (GET /api/v1/namespaces/b/pods/a): look elsewhere',
    );
    expect(error.rawMessage).toBe('pods "a" not found');
    expect(error.hint).toBe("look elsewhere");
    expect(String(error)).toBe(`KubeError: ${error.message}`);
    expect(new KubeError("Config", "no context").message).toBe("[Config] no context");
  });

  it("is recognized across copies of the package, in both directions", async () => {
    const Other = await otherCopy();
    expect(Other).not.toBe(KubeError);
    const theirs = new Other("NotFound", "x", { status: { code: 404 } });
    expect(theirs).toBeInstanceOf(KubeError);
    expect(new KubeError("NotFound", "x")).toBeInstanceOf(Other);
    expect(isNotFound(theirs)).toBe(true);
    expect(KubeError.from(theirs)).toBe(theirs);
  });

  it("a subclass recognizes only its own instances", () => {
    class QuotaError extends KubeError {}
    const quota = new QuotaError("Forbidden", "too much");
    expect(quota).toBeInstanceOf(QuotaError);
    expect(quota).toBeInstanceOf(KubeError);
    expect(isForbidden(quota)).toBe(true);
    expect(new KubeError("Forbidden", "x")).not.toBeInstanceOf(QuotaError);
    expect({} instanceof QuotaError).toBe(false);
  });

  it.each([
    undefined,
    null,
    5,
    "NotFound",
    {},
    new Error("x"),
    { code: "NotFound" },
    Object.create(null),
  ])("%o is neither an instance of KubeError nor accepted by a predicate", (value) => {
    expect(value instanceof KubeError).toBe(false);
    for (const is of [
      isNotFound,
      isExpired,
      isTooManyRequests,
      isTooLargeResourceVersion,
      isNetworkError,
    ]) {
      expect(is(value)).toBe(false);
    }
  });

  it("returns the causes of its Status, or an empty list", () => {
    const causes = [
      { reason: "FieldValueRequired", message: "Required value", field: "spec.containers" },
    ];
    expect(new KubeError("Invalid", "x", { status: { details: { causes } } }).causes).toEqual(
      causes,
    );
    expect(new KubeError("Invalid", "x", { status: {} }).causes).toEqual([]);
    expect(new KubeError("Invalid", "x").causes).toEqual([]);
  });

  it("keeps its cause, and has no cause property without one", () => {
    const cause = new Error("socket");
    expect(new KubeError("ConnectionReset", "x", { cause }).cause).toBe(cause);
    expect("cause" in new KubeError("ConnectionReset", "x")).toBe(false);
  });

  it("from() keeps a KubeError, wraps an error and formats anything else", () => {
    const known = new KubeError("Conflict", "x");
    expect(KubeError.from(known, "Decode")).toBe(known);
    const error = new TypeError("no");
    expect(KubeError.from(error)).toMatchObject({
      code: "Unknown",
      rawMessage: "no",
      cause: error,
    });
    expect(KubeError.from(error, "Decode").code).toBe("Decode");
    expect(KubeError.from("text")).toMatchObject({ rawMessage: "text", cause: "text" });
    expect(KubeError.from({ a: 1 }).rawMessage).toBe("{ a: 1 }");
    expect(KubeError.from(undefined).rawMessage).toBe("undefined");
    expect(KubeError.from(10n).rawMessage).toBe("10n");
  });

  it("from() distinguishes an abort from a failure", () => {
    expect(KubeError.from(AbortSignal.abort().reason).code).toBe("Aborted");
    expect(KubeError.from(new DOMException("late", "TimeoutError"), "Decode").code).toBe("Aborted");
  });

  it("the list of codes has no duplicates", () => {
    expect(new Set(kubeErrorCodes).size).toBe(kubeErrorCodes.length);
  });
});

describe("predicates", () => {
  const failed = (code: KubeError["code"], status?: Status) => new KubeError(code, "x", { status });

  it("R26, RV33: recognizes three forms of a resourceVersion that is too large", () => {
    const message = "Too large resource version: 9, current: 1";
    const typed = {
      code: 504,
      details: { causes: [{ reason: "ResourceVersionTooLarge", message: "x" }] },
    };
    expect(isTooLargeResourceVersion(failed("Timeout", typed))).toBe(true);
    const received = {
      code: 504,
      details: { causes: [{ message: "Too large resource version" }] },
    };
    expect(isTooLargeResourceVersion(failed("Timeout", received))).toBe(true);
    expect(isTooLargeResourceVersion(failed("Timeout", { code: 504, message }))).toBe(true);
  });

  it("a timeout for another reason, or that text with another code, does not match", () => {
    expect(
      isTooLargeResourceVersion(failed("Timeout", { code: 504, message: "etcd is slow" })),
    ).toBe(false);
    expect(isTooLargeResourceVersion(failed("Timeout"))).toBe(false);
    expect(
      isTooLargeResourceVersion(failed("Invalid", { message: "Too large resource version" })),
    ).toBe(false);
  });

  it("N9: recognizes expiry by reason Expired, by reason Gone and by HTTP status", () => {
    expect(isExpired(failed("Expired"))).toBe(true);
    expect(isExpired(failed("Gone"))).toBe(true);
    expect(isExpired(failed("Unknown", { code: 410 }))).toBe(true);
    expect(isExpired(new KubeError("Unknown", "x", { httpStatus: 410 }))).toBe(true);
    expect(isExpired(failed("NotFound", { code: 404 }))).toBe(false);
  });

  it("N10: recognizes throttling by reason and by HTTP status", () => {
    expect(isTooManyRequests(failed("TooManyRequests"))).toBe(true);
    expect(isTooManyRequests(failed("Unknown", { code: 429 }))).toBe(true);
    expect(isTooManyRequests(failed("ServiceUnavailable", { code: 503 }))).toBe(false);
  });

  it("each code of a server has its guard, and no guard but isExpired accepts two of them", () => {
    const guards: [KubeError["code"], (error: unknown) => boolean][] = [
      ["AlreadyExists", isAlreadyExists],
      ["BadRequest", isBadRequest],
      ["Conflict", isConflict],
      ["Expired", isExpired],
      ["Forbidden", isForbidden],
      ["Gone", isGone],
      ["InternalError", isInternalError],
      ["Invalid", isInvalid],
      ["MethodNotAllowed", isMethodNotAllowed],
      ["NotAcceptable", isNotAcceptable],
      ["NotFound", isNotFound],
      ["RequestEntityTooLarge", isRequestEntityTooLarge],
      ["ServerTimeout", isServerTimeout],
      ["ServiceUnavailable", isServiceUnavailable],
      ["StorageReadError", isStorageReadError],
      ["Timeout", isTimeout],
      ["TooManyRequests", isTooManyRequests],
      ["Unauthorized", isUnauthorized],
      ["UnsupportedMediaType", isUnsupportedMediaType],
    ];
    const ofServers = kubeErrorCodes.slice(0, kubeErrorCodes.indexOf("ConnectionClosed"));
    expect(guards.map(([code]) => code)).toEqual(ofServers.filter((code) => code !== "Unknown"));
    for (const [code, guard] of guards) {
      const accepted = kubeErrorCodes.filter((other) => guard(failed(other)));
      expect(accepted).toEqual(guard === isExpired ? ["Expired", "Gone"] : [code]);
    }
  });

  it("an unexpected server error is a failure response without a Status", () => {
    const bare = new KubeError("InternalError", "x", { httpStatus: 502 });
    expect(isUnexpectedServerError(bare)).toBe(true);
    expect(isUnexpectedServerError(failed("InternalError", { code: 502 }))).toBe(false);
    expect(isUnexpectedServerError(failed("ConnectionReset"))).toBe(false);
  });

  it("AlreadyExists is not a Conflict", () => {
    expect(isConflict(failed("AlreadyExists", { code: 409 }))).toBe(false);
    expect(isConflict(failed("Conflict"))).toBe(true);
  });

  it("failures of the network are network errors, responses of the server are not", () => {
    for (const code of [
      "ConnectionClosed",
      "ConnectionRefused",
      "ConnectionReset",
      "ConnectionTimeout",
      "HostNotFound",
      "NetworkError",
      "Tls",
    ] as const) {
      expect(isNetworkError(failed(code))).toBe(true);
    }
    expect(isNetworkError(failed("ServiceUnavailable"))).toBe(false);
    expect(isNetworkError(failed("Aborted"))).toBe(false);
  });
});
