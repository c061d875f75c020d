import { expect, test } from "vitest";
import { literal } from "../src/source-text.js";
import { TypeImports } from "../src/type-imports.js";

test("imports types of other packages as sorted type-only imports", () => {
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

test("gives a name that is taken an alias with its package", () => {
  const imports = new TypeImports("extensions/v1beta1", ["Scale"]);
  expect(imports.use("autoscaling/v1", "Scale")).toBe("AutoscalingV1Scale");
  expect(imports.use("autoscaling/v1", "Scale")).toBe("AutoscalingV1Scale");
  expect(imports.use("apps/v1", "Event")).toBe("Event");
  expect(imports.use("core/v1", "Event")).toBe("CoreV1Event");
});

test("writes data as a literal without undefined fields", () => {
  expect(literal({ a: 1, "b-c": ["x"], d: undefined, e: {} })).toBe(
    '{ a: 1, "b-c": ["x"], e: {} }',
  );
});
