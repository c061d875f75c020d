import { type ImportedType, importedTypes, type Shape, textShape } from "./shape.js";

const meta = /^io\.k8s\.apimachinery\.pkg\.apis\.meta\.v1\.(\w+)$/;

/** Components that have another form in JSON than their schemas in Go, by name. */
const texts: Readonly<Record<string, string>> = {
  "io.k8s.apimachinery.pkg.apis.meta.v1.Duration": "string",
  "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1": "{ [field: string]: unknown }",
  "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime": "string",
  "io.k8s.apimachinery.pkg.apis.meta.v1.Time": "string",
  "io.k8s.apimachinery.pkg.runtime.RawExtension": "unknown",
  "io.k8s.apimachinery.pkg.util.intstr.IntOrString": "number | string",
};

/** Returns the shape of a component whose type `typekube` has; `undefined` for others. */
export function knownComponent(name: string): Shape | undefined {
  const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
  if (text !== undefined) {
    return textShape(text);
  }
  if (name === "io.k8s.apimachinery.pkg.api.resource.Quantity") {
    return { type: "import", name: "Quantity" };
  }
  const [, type] = meta.exec(name) ?? [];
  return type !== undefined && Object.hasOwn(importedTypes, type)
    ? { type: "import", name: type as ImportedType }
    : undefined;
}
