import { describe, expect, it } from "vitest";
import { collectErrors } from "../src/errors/field-errors.js";
import { fieldRules } from "../src/generated/field-rules.js";
import {
  fieldValidator,
  type RuledType,
  validateFields,
} from "../src/kinds/fields/validate-fields.js";

const errorsOf = (type: RuledType, object: Record<string, unknown>, path = "spec") =>
  collectErrors((errors) => validateFields(type, object, path, errors)).map(
    ({ field, message }) => `${field}: ${message}`,
  );

describe("rows of hand-written rules", () => {
  it("name only known rules", () => {
    for (const type of Object.keys(fieldRules) as RuledType[]) {
      expect(() => errorsOf(type, {}), type).not.toThrow();
    }
  });

  it("report a missing value once, and nothing else about it", () => {
    expect(errorsOf("core/v1.ContainerPort", {})).toEqual(["spec.containerPort: Required value"]);
    expect(errorsOf("core/v1.Taint", { key: "a" })).toEqual(["spec.effect: Required value"]);
  });

  it("check unset values only with always=", () => {
    expect(errorsOf("core/v1.GRPCAction", {})).toEqual([
      "spec.port: Invalid value: 0: must be between 1 and 65535, inclusive",
    ]);
    expect(errorsOf("core/v1.ContainerPort", { containerPort: 1, hostPort: 0 })).toEqual([]);
  });

  it("tell an empty value behind a pointer from an absent one, unless nonZero= says otherwise", () => {
    expect(errorsOf("core/v1.SecurityContext", { procMount: "" })).toEqual([
      'spec.procMount: Unsupported value: "": supported values: "Default", "Unmasked"',
    ]);
    expect(errorsOf("storage/v1.StorageClass", { reclaimPolicy: "" }, "")).toEqual([]);
  });

  it("list words in the order of the rule, or of the enum", () => {
    expect(errorsOf("core/v1.Toleration", { effect: "a" })).toEqual([
      'spec.effect: Unsupported value: "a": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    ]);
    expect(errorsOf("networking/v1.NetworkPolicySpec", { policyTypes: ["Egress", ""] })).toEqual([
      'spec.policyTypes[1]: Unsupported value: "": supported values: "Ingress", "Egress"',
    ]);
  });

  it("check structs and items by the rows of their own type", () => {
    expect(errorsOf("autoscaling/v2.HorizontalPodAutoscalerSpec", {})).toEqual([
      "spec.scaleTargetRef.kind: Required value",
      "spec.scaleTargetRef.name: Required value",
    ]);
    expect(
      errorsOf("core/v1.PodSecurityContext", { sysctls: [{ name: "a" }, { name: "a" }, {}] }),
    ).toEqual([
      "spec.sysctls[2].name: Required value",
      'spec.sysctls[1].name: Duplicate value: "a"',
    ]);
  });

  it("are checked in the order in which a kind names the fields", () => {
    const errors = collectErrors((found) =>
      fieldValidator("core/v1.Container", {}, "", found)("image", "name"),
    );
    expect(errors.map(({ field }) => field)).toEqual(["image", "name"]);
  });
});
