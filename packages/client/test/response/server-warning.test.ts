import { readWarning } from "@typekube/client";
import { expect, it } from "vitest";

it.each([
  [
    "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
    {
      type: "deprecated",
      apiVersion: "v1",
      kind: "Endpoints",
      since: "1.33",
      removed: undefined,
      replacedBy: { apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice" },
    },
  ],
  [
    "policy/v1beta1 PodDisruptionBudget is deprecated in v1.21+, unavailable in v1.25+; use policy/v1 PodDisruptionBudget",
    {
      type: "deprecated",
      apiVersion: "policy/v1beta1",
      since: "1.21",
      removed: "1.25",
      replacedBy: { apiVersion: "policy/v1", kind: "PodDisruptionBudget" },
    },
  ],
  [
    "v1 ComponentStatus is deprecated in v1.19+",
    { type: "deprecated", kind: "ComponentStatus", removed: undefined, replacedBy: undefined },
  ],
  [
    'unknown field "spec.containers[0].imag"',
    { type: "unknownField", field: "spec.containers[0].imag" },
  ],
  ['duplicate field "data.a"', { type: "duplicateField", field: "data.a" }],
  ["example.com/v1alpha1 CronTab is deprecated; use v1", { type: "other" }],
  ["spec.x is deprecated in v1.2+", { type: "other" }],
  ["", { type: "other" }],
])("DEP11: classifies the text of a warning: %j", (text, expected) => {
  expect(readWarning(text)).toMatchObject({ text, ...expected });
});
