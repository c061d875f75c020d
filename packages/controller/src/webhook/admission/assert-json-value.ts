import { KubeError } from "@typekube/core";

/**
 * Rejects a value that JSON cannot carry: a `Date`, a function or NaN would reach the server as something else.
 *
 * @param path - JSON pointer of the value, for the message.
 * @throws {KubeError} `InvalidState` that names the path.
 */
export function assertJsonValue(value: unknown, path: string): void {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw notJson(path, String(value));
  }
  if (typeof value === "function" || typeof value === "symbol") {
    throw notJson(path, `a ${typeof value}`);
  }
  if (typeof value !== "object" || value === null) {
    return;
  }
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      assertJsonValue(item, `${path}/${at}`);
    }
    return;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw notJson(path, `a ${value.constructor?.name ?? "class instance"}`);
  }
  for (const [key, item] of Object.entries(value)) {
    assertJsonValue(item, `${path}/${key}`);
  }
}

function notJson(path: string, what: string): KubeError {
  return new KubeError("InvalidState", `a mutator set ${path} to ${what}`, {
    hint: "use values that JSON has: a date is a string such as new Date().toISOString()",
  });
}
