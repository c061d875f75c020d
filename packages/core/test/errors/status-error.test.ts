import { isStatus, type KubeErrorCode } from "@typekube/core";
import { codeFromHttpStatus, errorFromStatus } from "@typekube/core/internal";
import { describe, expect, it } from "vitest";

describe("errorFromStatus", () => {
  it.each<[KubeErrorCode, number]>([
    ["AlreadyExists", 409],
    ["BadRequest", 400],
    ["Conflict", 409],
    ["Expired", 410],
    ["Forbidden", 403],
    ["Gone", 410],
    ["InternalError", 500],
    ["Invalid", 422],
    ["MethodNotAllowed", 405],
    ["NotAcceptable", 406],
    ["NotFound", 404],
    ["RequestEntityTooLarge", 413],
    ["ServerTimeout", 500],
    ["ServiceUnavailable", 503],
    ["StorageReadError", 500],
    ["Timeout", 504],
    ["TooManyRequests", 429],
    ["Unauthorized", 401],
    ["UnsupportedMediaType", 415],
  ])("H10: the reason %s decides, whatever the status code", (reason, code) => {
    for (const number of [code, 499, undefined]) {
      const status = { status: "Failure", reason, code: number, message: "text of the server" };
      const error = errorFromStatus(status, { httpStatus: 418 });
      expect(error).toMatchObject({
        code: reason,
        rawMessage: "text of the server",
        status,
        httpStatus: 418,
      });
    }
  });

  it.each<[number, string, KubeErrorCode]>([
    [409, "POST", "AlreadyExists"],
    [409, "PUT", "Conflict"],
    [409, "PATCH", "Conflict"],
    [400, "GET", "BadRequest"],
    [401, "GET", "Unauthorized"],
    [403, "GET", "Forbidden"],
    [404, "GET", "NotFound"],
    [405, "GET", "MethodNotAllowed"],
    [406, "GET", "NotAcceptable"],
    [410, "GET", "Gone"],
    [413, "POST", "RequestEntityTooLarge"],
    [415, "POST", "UnsupportedMediaType"],
    [422, "POST", "Invalid"],
    [429, "GET", "TooManyRequests"],
    [500, "GET", "InternalError"],
    [502, "GET", "InternalError"],
    [503, "GET", "ServiceUnavailable"],
    [504, "GET", "Timeout"],
    [599, "GET", "InternalError"],
    [418, "GET", "Unknown"],
    [302, "GET", "Unknown"],
    [199, "GET", "Unknown"],
    [0, "GET", "Unknown"],
  ])("H10: %d on a %s without a reason is %s", (number, method, code) => {
    const request = { method, path: "/api/v1/pods" };
    expect(codeFromHttpStatus(number, method)).toBe(code);
    for (const reason of [undefined, "", "Unknown", "ReasonOfTomorrow", "constructor"]) {
      expect(errorFromStatus({ reason, code: number }, { request }).code).toBe(code);
      expect(errorFromStatus({ reason }, { request, httpStatus: number }).code).toBe(code);
    }
  });

  it.each(["Aborted", "Closed", "ConnectionReset", "Decode", "InvalidArgument", "TooLarge"])(
    "a server cannot report the code %s, which only the client can determine",
    (reason) => {
      expect(errorFromStatus({ reason, code: 500 }).code).toBe("InternalError");
    },
  );

  it("the code in the Status takes precedence over the HTTP status", () => {
    expect(errorFromStatus({ code: 404 }, { httpStatus: 200 })).toMatchObject({
      code: "NotFound",
      httpStatus: 200,
    });
    expect(errorFromStatus({ code: 404 }).httpStatus).toBe(404);
    expect(errorFromStatus({}).httpStatus).toBeUndefined();
  });

  it("takes the retry delay from the header, otherwise from the details in seconds", () => {
    const status = { code: 429, details: { retryAfterSeconds: 3 } };
    expect(errorFromStatus(status).retryAfterMs).toBe(3000);
    expect(errorFromStatus(status, { retryAfterMs: 500 }).retryAfterMs).toBe(500);
    expect(errorFromStatus(status, { retryAfterMs: 0 }).retryAfterMs).toBe(0);
    expect(errorFromStatus({ code: 429 }).retryAfterMs).toBeUndefined();
  });

  it("a Status without a message gets a default one", () => {
    expect(errorFromStatus({ code: 500, message: "" }).message).toBe(
      "[InternalError] the server gave no message",
    );
  });
});

describe("isStatus", () => {
  it.each([
    [{ kind: "Status", apiVersion: "v1" }, true],
    [{ kind: "Status", apiVersion: "meta.k8s.io/v1" }, true],
    [{ kind: "Status", apiVersion: "example.com/v1" }, false],
    [{ kind: "Pod", apiVersion: "v1" }, false],
    [null, false],
    ["Status", false],
    [[], false],
  ])("recognizes %o as a Status: %s", (value, expected) => {
    expect(isStatus(value)).toBe(expected);
  });
});
