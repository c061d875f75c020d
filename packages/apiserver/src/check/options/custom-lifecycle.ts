import { KubeError } from "@typekube/core";
import { getOwn, isJsonObject, type JsonObject } from "@typekube/core/internal";
import { parseYaml } from "@typekube/core/yaml";
import * as yaml from "js-yaml";

/** Lifecycle of a kind in one version, in addition to those of Kubernetes. Releases are written as `1.30` or `v1.30.0`. */
export interface CustomLifecycle {
  /** Release that deprecates the version. */
  readonly deprecated?: string | undefined;
  /** Release that no longer serves the version. */
  readonly removed?: string | undefined;
  /** Version to use instead, such as `example.com/v1`. */
  readonly replacedBy?: string | undefined;
  /** Name of the program whose releases count. Default: Kubernetes. */
  readonly component?: string | undefined;
  /** Release to check for. Default: the release of Kubernetes that is checked for. */
  readonly target?: string | undefined;
}

/** Lifecycles by apiVersion and kind, such as `example.com/v1beta1 Widget`. */
export type CustomLifecycles = Readonly<Record<string, CustomLifecycle>>;

const keys: readonly string[] = ["component", "deprecated", "removed", "replacedBy", "target"];

/**
 * Reads lifecycles from YAML or JSON: a mapping of {@link CustomLifecycles}, or the versions file of Pluto with `deprecated-versions` and
 * `target-versions`.
 *
 * @param name - name of the text in errors.
 * @throws {KubeError} `InvalidArgument` for another text.
 */
export function parseLifecycles(text: string, name: string = "the lifecycles"): CustomLifecycles {
  let value: unknown;
  try {
    [value] = parseYaml(yaml, text);
  } catch (error) {
    throw new KubeError("InvalidArgument", `${name} is not YAML: ${(error as Error).message}`);
  }
  if (!isJsonObject(value)) {
    throw new KubeError("InvalidArgument", `${name} is not a mapping of lifecycles`);
  }
  const found = value["deprecated-versions"] === undefined ? value : ofPluto(value, name);
  assertLifecycles(found, name);
  return found;
}

/**
 * Checks lifecycles.
 *
 * @throws {KubeError} `InvalidArgument` naming the entry.
 */
export function assertLifecycles(
  lifecycles: unknown,
  name: string,
): asserts lifecycles is CustomLifecycles {
  for (const [key, one] of Object.entries(isJsonObject(lifecycles) ? lifecycles : {})) {
    const place = `${name}: ${JSON.stringify(key)}`;
    if (!/^\S+ \S+$/.test(key)) {
      throw new KubeError("InvalidArgument", `${place} is not an apiVersion and a kind`, {
        hint: 'write them with a blank between, such as "example.com/v1beta1 Widget"',
      });
    }
    const entry = isJsonObject(one) ? one : { entry: one };
    const other = Object.keys(entry).find((field) => !keys.includes(field));
    if (other !== undefined) {
      throw new KubeError("InvalidArgument", `${place} has the unknown field ${other}`, {
        hint: `its fields are ${keys.join(", ")}`,
      });
    }
    for (const field of ["deprecated", "removed", "target"]) {
      const release = entry[field];
      if (release !== undefined && numbersOf(release) === undefined) {
        const shown = JSON.stringify(release);
        throw new KubeError("InvalidArgument", `${place}: ${field} is no release: ${shown}`, {
          hint: 'write it as text, such as "1.30"',
        });
      }
    }
  }
}

function ofPluto(value: JsonObject, name: string): JsonObject {
  const { "deprecated-versions": versions, "target-versions": targets } = value;
  const found: JsonObject = {};
  for (const one of Array.isArray(versions) ? versions.filter(isJsonObject) : []) {
    const { version, kind, component } = one;
    const owner = textOf(component) ?? "k8s";
    const target = isJsonObject(targets) ? textOf(getOwn(targets, owner)) : undefined;
    if (owner !== "k8s" && target === undefined) {
      throw new KubeError("InvalidArgument", `${name} has no target version of ${owner}`, {
        hint: `add it to target-versions, such as ${owner}: v1.0.0`,
      });
    }
    found[`${String(version)} ${String(kind)}`] = withoutAbsent({
      deprecated: textOf(one["deprecated-in"]),
      removed: textOf(one["removed-in"]),
      replacedBy: textOf(one["replacement-api"]),
      ...(owner === "k8s" ? {} : { component: owner, target }),
    });
  }
  return found;
}

function withoutAbsent(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns true if a release is not earlier than another one. */
export function isSince(release: string, since: string): boolean {
  const [own, other] = [numbersOf(release) ?? [], numbersOf(since) ?? []];
  for (let at = 0; at < Math.max(own.length, other.length); at++) {
    const difference = (own[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) {
      return difference > 0;
    }
  }
  return true;
}

function numbersOf(release: unknown): readonly number[] | undefined {
  return typeof release === "string" &&
    /^v?\d{1,9}(?:\.\d{1,9}){0,3}(?:[-+][\w.+-]*)?$/.test(release)
    ? release
        .replace(/^v|[-+].*$/g, "")
        .split(".")
        .map(Number)
    : undefined;
}
