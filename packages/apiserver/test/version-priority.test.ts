import { expect, test } from "vitest";
import { compareVersions } from "../src/resources/version-priority.js";

const inOrder = [
  "v10",
  "v2",
  "v1",
  "v11beta2",
  "v10beta3",
  "v3beta1",
  "v12alpha1",
  "v11alpha2",
  "foo1",
  "foo10",
  "v1gamma1",
];

test("sorts versions in discovery order, whatever their input order", () => {
  expect([...inOrder].reverse().sort(compareVersions)).toEqual(inOrder);
  expect([...inOrder].sort().sort(compareVersions)).toEqual(inOrder);
});
