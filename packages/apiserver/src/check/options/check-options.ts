import { KubeError } from "@typekube/core";
import {
  assertOptions,
  flag,
  isJsonObject,
  type OptionTable,
  object,
  oneOf,
  text,
} from "@typekube/core/internal";
import { type CheckRuleId, checkRules, isCheckRule } from "../model/check-rules.js";
import type { Severity } from "../model/finding.js";
import type { ClusterSnapshot } from "../snapshot/cluster-snapshot.js";
import type { CheckInput } from "./check-input.js";
import { assertLifecycles, type CustomLifecycles } from "./custom-lifecycle.js";

/** Severities of rules by their identifier; `off` drops their findings. */
export type RuleSeverities = Readonly<Partial<Record<CheckRuleId, Severity | "off">>>;

/** Severities for some objects. An omitted condition matches all objects. */
export interface SeverityOverride {
  /** Patterns of source names, in which `*` matches any characters but `/`, and `**` any characters. */
  readonly paths?: readonly string[] | undefined;
  /** Kinds, such as `Deployment`. */
  readonly kinds?: readonly string[] | undefined;
  /** Namespaces. */
  readonly namespaces?: readonly string[] | undefined;
  readonly rules: RuleSeverities;
}

/** Options of `check()`. */
export interface CheckOptions {
  /**
   * Release of Kubernetes from "1.33" to "1.37", or several. Older releases have the schemas of 1.37 and their own
   * lifecycle of kinds. Default "1.37".
   */
  readonly version?: string | readonly string[] | undefined;
  /** CustomResourceDefinitions in addition to those of the input. */
  readonly crds?: CheckInput | undefined;
  /** Admission policies and their bindings in addition to those of the input, with params and namespaces. */
  readonly policies?: CheckInput | undefined;
  /**
   * The objects that the manifests replace. An object of the same kind, namespace and name is updated instead of created:
   * immutable fields and transition rules are checked, and unchanged invalid values accepted, as by a server.
   */
  readonly against?: CheckInput | undefined;
  /**
   * A cluster, as `snapshotCluster` has read it: its release is the default of `version`, its definitions, policies and namespaces
   * apply unless the input has others, and built-in kinds that it does not serve are errors. Kinds that it serves without a definition
   * are skipped.
   */
  readonly snapshot?: ClusterSnapshot | undefined;
  /** Versions of kinds that are deprecated or removed in addition to those of Kubernetes and of definitions. Default: none. */
  readonly lifecycle?: CustomLifecycles | undefined;
  /** Patterns of groups, such as `*.example.com`, whose unknown kinds are skipped. Default: none. */
  readonly allowUnknown?: readonly string[] | undefined;
  /** Skips documents without apiVersion and kind, which are errors otherwise. Default false. */
  readonly skipNonManifests?: boolean | undefined;
  /** Warns when a referenced object is not part of the input. Default false. */
  readonly references?: boolean | undefined;
  /** Pod Security level of namespaces without a level of their own. Default: none is enforced. */
  readonly podSecurity?: "baseline" | "privileged" | "restricted" | undefined;
  /** Namespace of objects that name none. Default "default". */
  readonly namespace?: string | undefined;
  /** Severities of rules. Default: those of `checkRules`. */
  readonly rules?: RuleSeverities | undefined;
  /** Severities for some paths, kinds or namespaces. The last match counts. Default: none. */
  readonly overrides?: readonly SeverityOverride[] | undefined;
  /**
   * Patterns of field paths whose values are never printed, such as `spec.*password*`. Values of Secrets never are.
   * Default: none.
   */
  readonly redact?: readonly string[] | undefined;
  /** Ends the check. */
  readonly signal?: AbortSignal | undefined;
}

/** Releases that can be checked. */
export const checkedVersions: readonly string[] = ["1.33", "1.34", "1.35", "1.36", "1.37"];

const texts = {
  mustBe: "a list of strings",
  isValid: (value: unknown) =>
    Array.isArray(value) && value.every((one) => typeof one === "string"),
};

const checkOptions: OptionTable<CheckOptions> = {
  version: {
    mustBe: `a release or a list of releases from "${checkedVersions[0]}" to "${checkedVersions.at(-1)}"`,
    hint: "the schemas of other releases are not included",
    isValid: (value) =>
      [value].flat().length > 0 &&
      [value].flat().every((one) => checkedVersions.some((known) => known === one)),
  },
  crds: true,
  policies: true,
  against: true,
  snapshot: {
    mustBe: "a snapshot of snapshotCluster() or parseSnapshot()",
    isValid: (value) =>
      isJsonObject(value) && text.isValid(value["version"]) && Array.isArray(value["objects"]),
  },
  lifecycle: object,
  allowUnknown: texts,
  skipNonManifests: flag,
  references: flag,
  podSecurity: oneOf("baseline", "privileged", "restricted"),
  namespace: text,
  rules: object,
  overrides: {
    mustBe: "a list of objects with rules",
    isValid: (value) =>
      Array.isArray(value) &&
      value.every((one) => object.isValid(one) && object.isValid(one.rules)),
  },
  redact: texts,
  signal: true,
};

/** Options of a check with their defaults. */
export interface CompleteOptions extends CheckOptions {
  readonly versions: readonly string[];
  readonly namespace: string;
  /** `true` when the caller named the namespace. */
  readonly namespaceIsGiven: boolean;
  readonly allowUnknown: readonly string[];
  readonly overrides: readonly SeverityOverride[];
  readonly redact: readonly string[];
}

/**
 * Checks the options and fills in defaults.
 *
 * @throws {KubeError} `InvalidArgument` for unknown options, rules and severities, and for other releases.
 */
export function completeOptions(options: CheckOptions): CompleteOptions {
  assertOptions("check()", options, checkOptions);
  const { rules = {}, overrides = [], snapshot } = options;
  const { version = snapshot?.version ?? "1.37" } = options;
  if (options.version === undefined && !checkedVersions.some((known) => known === version)) {
    throw new KubeError(
      "InvalidArgument",
      `the snapshot is of Kubernetes ${String(version)}, whose schemas are not included`,
      {
        hint: `choose a release from ${checkedVersions[0]} to ${checkedVersions.at(-1)} with version`,
      },
    );
  }
  assertLifecycles(options.lifecycle, "lifecycle");
  for (const severities of [rules, ...overrides.map((one) => one.rules)]) {
    assertSeverities(severities);
  }
  return {
    ...options,
    versions: [...new Set([version].flat())],
    namespace: options.namespace ?? "default",
    namespaceIsGiven: options.namespace !== undefined,
    allowUnknown: options.allowUnknown ?? [],
    overrides,
    redact: options.redact ?? [],
  };
}

function assertSeverities(severities: RuleSeverities): void {
  for (const [rule, severity] of Object.entries(severities)) {
    if (!isCheckRule(rule)) {
      throw new KubeError("InvalidArgument", `check() has no rule ${JSON.stringify(rule)}`, {
        hint: `its rules are ${Object.keys(checkRules).join(", ")}`,
      });
    }
    if (!["error", "note", "off", "warning"].includes(severity)) {
      throw new KubeError(
        "InvalidArgument",
        `the severity of ${rule} must be error, warning, note or off, not ${JSON.stringify(severity)}`,
      );
    }
  }
}
