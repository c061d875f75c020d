import { KubeError } from "@typekube/core";
import * as z from "zod";
import type { $ZodType } from "zod/v4/core";
import { type CustomResource, defineResource } from "../src/index.js";

const names = { group: "example.com", version: "v1", kind: "Widget" };

/** Defines a kind by its spec and further options. */
export function widget(spec: $ZodType, more: object = {}): CustomResource {
  return defineResource({ ...names, spec, ...more } as never) as CustomResource;
}

/** Returns the schema of `spec` in the definition. */
export function specOf(resource: CustomResource): Record<string, unknown> {
  const [version] = resource.crd().spec.versions;
  return version?.schema?.openAPIV3Schema?.properties?.["spec"] as Record<string, unknown>;
}

/** Returns the schema that a field of the spec becomes. */
export function schemaOf(field: $ZodType, more: object = {}): unknown {
  const { properties } = specOf(widget(objectWith(field), more)) as { properties: { x: unknown } };
  return properties.x;
}

/** Returns the message with which a field of the spec is refused, without the text around it. */
export function refusalOf(field: $ZodType): string {
  return refusal(() => widget(objectWith(field)));
}

/** Returns the message of a refused definition. */
export function refusal(define: () => unknown): string {
  try {
    define();
  } catch (error) {
    if (error instanceof KubeError && error.code === "InvalidArgument") {
      return error.rawMessage.replace(/^defineResource\(\) of \w+: /, "");
    }
    throw error;
  }
  throw new Error("the definition was accepted");
}

function objectWith(x: $ZodType): $ZodType {
  return z.object({ x: x as z.ZodType });
}
