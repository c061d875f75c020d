import { describe, expect, test } from "vitest";
import { verifyResponse } from "../../src/admission/webhooks/admission-response.js";
import { denied, dryRunUnsupported } from "../../src/admission/webhooks/webhook-errors.js";

const uid = "705ab4f5";
const apiVersion = "admission.k8s.io/v1";
const review = { apiVersion, kind: "AdmissionReview" };

describe("responses of webhooks", () => {
  test.each([
    [{}, "webhook response was absent"],
    [{ ...review, response: { uid: "other" } }, `expected response.uid="${uid}", got "other"`],
    [{ ...review, response: {} }, `expected response.uid="${uid}", got ""`],
    [
      { ...review, apiVersion: "admission.k8s.io/v1beta1", response: { uid } },
      `expected webhook response of ${apiVersion}, Kind=AdmissionReview, got admission.k8s.io/v1beta1, Kind=AdmissionReview`,
    ],
    [
      { response: { uid } },
      `expected webhook response of ${apiVersion}, Kind=AdmissionReview, got /, Kind=`,
    ],
    [
      { ...review, response: { uid, patch: "W10=", patchType: "" } },
      'webhook returned invalid response.patchType of ""',
    ],
  ])("CT9: rejects %j", (reply, message) => {
    expect(() => verifyResponse(reply, { apiVersion, uid, type: "mutating" })).toThrow(message);
  });

  test("CT9: a response of v1beta1 is not verified, and its patch is a JSON patch", () => {
    const reply = { response: { allowed: true, patch: "W10=" } };
    const expected = { apiVersion: "admission.k8s.io/v1beta1", uid } as const;
    expect(verifyResponse(reply, { ...expected, type: "mutating" })).toMatchObject({
      isAllowed: true,
      patch: "W10=",
      patchType: "JSONPatch",
    });
    expect(verifyResponse(reply, { ...expected, type: "validating" }).patch).toBe("");
  });

  test.each([
    [undefined, 400, "without explanation"],
    [{ code: 399 }, 400, "without explanation"],
    [{ code: 401 }, 401, "without explanation"],
    [{ code: 500, reason: "Forbidden" }, 500, ": Forbidden"],
    [{ message: "no", reason: "Forbidden" }, 400, ": no"],
  ])("CT9: the denial %j has the code %i", (result, code, end) => {
    const { status } = denied("foo", result);
    const by = 'admission webhook "foo" denied the request';
    expect(status.code).toBe(code);
    expect(status.message).toBe(end.startsWith(":") ? `${by}${end}` : `${by} ${end}`);
    expect(status.status).toBe("Failure");
  });

  test("DRY7: the error for a dry run names the webhook", () => {
    expect(dryRunUnsupported("foo").status).toMatchObject({
      code: 400,
      reason: "BadRequest",
      message: 'admission webhook "foo" does not support dry run',
    });
  });
});
