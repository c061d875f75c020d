import type { KubeObject, Live } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { type DescribedCondition, describedCondition } from "./object-condition.js";

/**
 * One step of a path: a key, an index (from the end when negative), or a filter for the first element whose field has a
 * value.
 */
type Step =
  | { readonly key: string }
  | { readonly index: number }
  | { readonly field: readonly string[]; readonly equals: string };

/** Maximum number of characters of a value in an error message. */
const maxShownLength = 64;

/**
 * Waits for a value in the object, as `kubectl wait --for=jsonpath=...` does. The path takes keys (`.status.phase`,
 * `['a.b']`), indices (`[0]`, `[-1]`) and the filter `[?(@.type=="Ready")]`, with or without enclosing braces. Numbers
 * and booleans are compared as text.
 *
 * @param path - path of the value: `.status.phase`
 * @param value - value to wait for. Default: any value but null.
 *
 * @example
 * ```ts
 * await client.resource(Pod, "prod").waitFor("web-0", conditions.jsonPath(".status.phase", "Running"));
 * ```
 *
 * @throws {KubeError} `InvalidArgument` for an invalid path, or a value that is not a string, a number or a boolean.
 */
export function jsonPath(path: string, value?: boolean | number | string): DescribedCondition {
  if (value !== undefined && !isScalar(value)) {
    throw new KubeError(
      "InvalidArgument",
      "a JSON path can be compared with a string, a number or a boolean",
      {
        hint: "omit the value to accept any value but null",
      },
    );
  }
  const steps = parseJsonPath(path);
  // Only `status` is certain to hold no secrets, so only its values appear in messages.
  const isPublic = steps[0] !== undefined && "key" in steps[0] && steps[0].key === "status";
  return describedCondition(
    value === undefined ? `a value at ${path}` : `${path}=${value}`,
    fieldsOf(steps),
    (object) => {
      const found = valueAt(object, steps);
      return value === undefined ? found !== undefined && found !== null : isText(found, value);
    },
    (object: Live<KubeObject>) => {
      const found = valueAt(object, steps);
      return found === undefined
        ? `nothing at ${path}`
        : isPublic && typeof found !== "object"
          ? `${path}=${String(found).slice(0, maxShownLength)}`
          : `something else at ${path}`;
    },
  );
}

/**
 * Returns the path of the field that holds the value, in the form of the option `fields`, which goes through lists
 * without an index; the path of the list for one that is filtered.
 */
function fieldsOf(steps: readonly Step[]): readonly string[] {
  let path = "";
  for (const step of steps) {
    if ("field" in step) {
      break;
    }
    if ("key" in step) {
      const isName = step.key !== "" && !/[.[\]"]/.test(step.key);
      path += !isName ? `[${JSON.stringify(step.key)}]` : path === "" ? step.key : `.${step.key}`;
    }
  }
  return path === "" ? [] : [path];
}

function isScalar(value: unknown): boolean {
  return ["boolean", "string"].includes(typeof value) || Number.isFinite(value);
}

function isText(found: unknown, value: boolean | number | string): boolean {
  return (
    found !== undefined &&
    found !== null &&
    typeof found !== "object" &&
    String(found) === `${value}`
  );
}

const stepPattern =
  /\.((?:[^.[\]{}\\'"\s]|\\.)+)|\[(-?\d+)\]|\[(?:'([^']*)'|"([^"]*)")\]|\[\?\(\s*@((?:\.[^.[\]\s=]+)+)\s*==\s*(?:'([^']*)'|"([^"]*)"|([^\s'")]+))\s*\)\]/y;

/**
 * Parses a path.
 *
 * @throws {KubeError} `InvalidArgument` for an invalid path.
 */
function parseJsonPath(path: string): Step[] {
  const bare = String(path ?? "")
    .trim()
    .replace(/^\{(.*)\}$/s, "$1")
    .trim()
    .replace(/^\$/, "");
  const text = /^[.[]/.test(bare) ? bare : `.${bare}`;
  const steps: Step[] = [];
  let at = 0;
  while (at < text.length) {
    stepPattern.lastIndex = at;
    const match = stepPattern.exec(text);
    if (match === null) {
      throw new KubeError("InvalidArgument", `the JSON path "${path}" cannot be read`, {
        hint: 'supported are keys, indices and one filter: .status.conditions[?(@.type=="Ready")].status',
      });
    }
    steps.push(stepOf(match));
    at = stepPattern.lastIndex;
  }
  return steps;
}

function stepOf([, key, index, single, double, field, ...values]: RegExpExecArray): Step {
  if (key !== undefined) {
    return { key: key.replace(/\\(.)/g, "$1") };
  }
  if (index !== undefined) {
    return { index: Number(index) };
  }
  if (field !== undefined) {
    const equals = values.find((value) => value !== undefined) ?? "";
    return { field: field.slice(1).split("."), equals };
  }
  return { key: single ?? double ?? "" };
}

function valueAt(value: unknown, steps: readonly Step[]): unknown {
  let at = value;
  for (const step of steps) {
    if ("key" in step) {
      at = ownValue(at, step.key);
    } else if ("index" in step) {
      at = Array.isArray(at) ? at.at(step.index) : undefined;
    } else {
      at = Array.isArray(at)
        ? at.find((one) => isText(step.field.reduce(ownValue, one as unknown), step.equals))
        : undefined;
    }
  }
  return at;
}

function ownValue(object: unknown, key: string): unknown {
  const isKeyed = typeof object === "object" && object !== null && !Array.isArray(object);
  return isKeyed && Object.hasOwn(object, key)
    ? (object as Record<string, unknown>)[key]
    : undefined;
}
