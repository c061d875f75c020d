import { KubeError } from "@typekube/core";
import { assertOptions, type OptionTable, object } from "@typekube/core/internal";

const pathOptions: OptionTable<{ readonly path: string | URL }> = {
  path: {
    mustBe: "the name of a file or folder, as a string or URL",
    isValid: (value) => (typeof value === "string" && value !== "") || value instanceof URL,
  },
};

/**
 * Checks `load` of a scenario: its path, or the fields by which its objects are found.
 *
 * @throws {KubeError} `InvalidArgument` that names the wrong field.
 */
export function assertLoad(load: unknown): void {
  if (Array.isArray(load)) {
    for (const [at, item] of load.entries()) {
      assertItem(item, `load[${at}]`);
    }
  } else if (object.isValid(load)) {
    const { path = null, ...others } = load as { readonly path?: unknown };
    assertOptions("load of a scenario", { path, ...others }, pathOptions, "load.");
  }
}

function assertItem(item: Readonly<Record<string, unknown>> | undefined, name: string): void {
  if (item === undefined) {
    throw new KubeError("InvalidArgument", `${name} is missing: it must be an object`);
  }
  for (const field of ["apiVersion", "kind"]) {
    assertType(item[field], `${name}.${field}`, "a string", typeof item[field] === "string");
  }
  const { metadata } = item;
  assertType(metadata, `${name}.metadata`, "an object", object.isValid(metadata));
  try {
    JSON.stringify(item);
  } catch {
    throw new KubeError("InvalidArgument", `${name} must be plain data, as in JSON`, {
      hint: "without references to itself, and without BigInt",
    });
  }
}

/** Missing fields are named when the object is loaded. */
function assertType(value: unknown, name: string, mustBe: string, isValid: boolean): void {
  if (value !== undefined && !isValid) {
    throw new KubeError("InvalidArgument", `${name} must be ${mustBe}`);
  }
}
