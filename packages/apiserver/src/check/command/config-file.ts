import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { KubeError } from "@typekube/core";
import {
  assertOptions,
  flag,
  isJsonObject,
  type OptionTable,
  object,
  text,
} from "@typekube/core/internal";
import { parseYaml } from "@typekube/core/yaml";
import * as yaml from "js-yaml";
import type { RuleSeverities, SeverityOverride } from "../options/check-options.js";
import { UsageProblem } from "./command-options.js";
import { readTextFile } from "./read-text-file.js";

/** Name of the configuration. */
export const configName = "typekube.check.yaml";

/** Configuration of `typekube check`. Options of the command line count more; lists are added to. */
export interface CheckConfig {
  readonly version?: string | readonly string[] | undefined;
  readonly crds?: readonly string[] | undefined;
  readonly policies?: readonly string[] | undefined;
  readonly snapshot?: string | undefined;
  readonly lifecycle?: readonly string[] | undefined;
  readonly namespace?: string | undefined;
  readonly podSecurity?: string | undefined;
  readonly references?: boolean | undefined;
  readonly allowUnknown?: readonly string[] | undefined;
  readonly skipNonManifests?: boolean | undefined;
  readonly ignore?: readonly string[] | undefined;
  readonly redact?: readonly string[] | undefined;
  readonly failOn?: string | undefined;
  readonly maxWarnings?: number | undefined;
  readonly rules?: RuleSeverities | undefined;
  readonly overrides?: readonly SeverityOverride[] | undefined;
}

/** A configuration and the folder of its relative paths. */
export interface FoundConfig {
  readonly config: CheckConfig;
  readonly folder: string;
  /** Absolute path of the file; absent without one. */
  readonly path?: string | undefined;
}

const texts = {
  mustBe: "a list of strings",
  isValid: (value: unknown) =>
    Array.isArray(value) && value.every((one) => typeof one === "string"),
};

const configOptions: OptionTable<CheckConfig> = {
  version: {
    mustBe: "a release in quotes, or a list of them",
    isValid: (value) => text.isValid(value) || texts.isValid(value),
  },
  crds: texts,
  policies: texts,
  snapshot: text,
  lifecycle: texts,
  namespace: text,
  podSecurity: text,
  references: flag,
  allowUnknown: texts,
  skipNonManifests: flag,
  ignore: texts,
  redact: texts,
  failOn: text,
  maxWarnings: { mustBe: "a number", isValid: (value) => Number.isInteger(value) },
  rules: object,
  overrides: { mustBe: "a list", isValid: Array.isArray },
};

/**
 * Reads the configuration: a given file, or the nearest in a folder and those above it.
 *
 * @returns an empty configuration when there is no file.
 * @throws {UsageProblem} for a file that cannot be read, and for unknown options and invalid values.
 */
export async function readConfig(
  folder: string,
  given: string | false | undefined,
): Promise<FoundConfig> {
  const path =
    given === undefined
      ? await nearestConfig(folder)
      : given === false
        ? undefined
        : resolve(folder, given);
  if (path === undefined) {
    return { config: {}, folder };
  }
  let value: unknown;
  try {
    [value] = parseYaml(yaml, await readTextFile(path));
  } catch (error) {
    throw new UsageProblem(`${path}: ${(error as Error).message}`);
  }
  if (value === undefined || value === null) {
    return { config: {}, folder: dirname(path), path };
  }
  if (!isJsonObject(value)) {
    throw new UsageProblem(`${path}: expected a mapping of options`);
  }
  try {
    assertOptions(configName, value, configOptions);
  } catch (error) {
    throw new UsageProblem(`${path}: ${KubeError.from(error).rawMessage}`);
  }
  return { config: value as CheckConfig, folder: dirname(path), path };
}

async function nearestConfig(folder: string): Promise<string | undefined> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const path = join(at, configName);
    if (
      await stat(path).then(
        (found) => found.isFile(),
        () => false,
      )
    ) {
      return path;
    }
    if (dirname(at) === at) {
      return undefined;
    }
  }
}
