import { expect, test } from "vitest";
import { literal } from "../src/source-text.js";
import { TypeImports } from "../src/type-imports.js";

test("types of other packages are type-only imports, sorted", () => {
  const imports = new TypeImports("apps/v1", ["Deployment"]);
  expect(imports.use("meta/v1", "ObjectMeta")).toBe("ObjectMeta");
  expect(imports.use("meta/v1", "LabelSelector")).toBe("LabelSelector");
  expect(imports.use("autoscaling/v1", "Scale")).toBe("Scale");
  expect(imports.use("runtime", "RawExtension")).toBe("RawExtension");
  expect(imports.toString()).toBe(
    'import type { Scale } from "../autoscaling/v1.js";\n' +
      'import type { LabelSelector, ObjectMeta } from "../meta/v1.js";\n' +
      'import type { RawExtension } from "../runtime.js";\n',
  );
});

test("a name that is taken stands under one that tells its package", () => {
  const imports = new TypeImports("extensions/v1beta1", ["Scale"]);
  expect(imports.use("autoscaling/v1", "Scale")).toBe("AutoscalingV1Scale");
  expect(imports.use("autoscaling/v1", "Scale")).toBe("AutoscalingV1Scale");
  expect(imports.use("apps/v1", "Event")).toBe("Event");
  expect(imports.use("core/v1", "Event")).toBe("CoreV1Event");
});

test("data is written as a literal without what is undefined", () => {
  expect(literal({ a: 1, "b-c": ["x"], d: undefined, e: {} })).toBe(
    '{ a: 1, "b-c": ["x"], e: {} }',
  );
});
