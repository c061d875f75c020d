import type { StatusCause } from "@typekube/core";
import { cause } from "../../errors/field-errors.js";

/** Levels of the Pod Security Standards. */
export type Level = "baseline" | "privileged" | "restricted";

/** A level as defined by one minor version of Kubernetes; `Infinity` means the latest. */
export interface LevelVersion {
  readonly level: Level;
  readonly minor: number;
}

/** The policy set by a namespace's labels. */
export interface Policy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
}

const levels: readonly Level[] = ["privileged", "baseline", "restricted"];
const prefix = "pod-security.kubernetes.io/";
const privileged: LevelVersion = { level: "privileged", minor: Number.POSITIVE_INFINITY };

/**
 * Reads the labels of a namespace (pod-security-admission `api.PolicyToEvaluate`). An invalid label counts as the
 * strictest level for `enforce` and as the weakest for the others, and is reported as a cause.
 */
export function readPolicy(labels: Readonly<Record<string, string>> | undefined): {
  readonly policy: Policy;
  readonly causes: readonly StatusCause[];
} {
  const causes: StatusCause[] = [];
  const read = <T>(label: string, parse: (text: string) => T | undefined, why: string) => {
    const text = labels?.[`${prefix}${label}`];
    const value = text === undefined ? undefined : parse(text);
    if (text !== undefined && value === undefined) {
      causes.push(cause.invalid(`metadata.labels[${prefix}${label}]`, text, why));
    }
    return { isGiven: text !== undefined, value };
  };
  const readMode = (mode: keyof Policy, otherwise: Level) => {
    const level = read(mode, parseLevel, `must be one of ${levels.join(", ")}`);
    const version = read(`${mode}-version`, parseVersion, 'must be "latest" or "v1.x"');
    const chosen = level.isGiven ? (level.value ?? otherwise) : "privileged";
    return { level: chosen, minor: version.value ?? privileged.minor, given: level, version };
  };
  const enforce = readMode("enforce", "restricted");
  const audit = readMode("audit", "privileged");
  const warn = readMode("warn", "privileged");
  // Without a `warn` label, warnings follow the enforced level.
  const follows = !warn.given.isGiven && (enforce.given.value ?? "privileged") !== "privileged";
  return {
    policy: {
      enforce: { level: enforce.level, minor: enforce.minor },
      audit: { level: audit.level, minor: audit.minor },
      warn: follows
        ? { level: enforce.level, minor: warn.version.isGiven ? warn.minor : enforce.minor }
        : { level: warn.level, minor: warn.minor },
    },
    causes,
  };
}

/** Formats a level for messages: `baseline:v1.25`. */
export function showLevel({ level, minor }: LevelVersion): string {
  return `${level}:${minor === Number.POSITIVE_INFINITY ? "latest" : `v1.${minor}`}`;
}

/** Returns true when the first level allows less than the second. */
export function isStricter(one: Level, other: Level): boolean {
  return levels.indexOf(one) > levels.indexOf(other);
}

/** Returns true for the same level and version. */
export function isSameLevel(one: LevelVersion, other: LevelVersion): boolean {
  return one.level === other.level && one.minor === other.minor;
}

function parseLevel(text: string): Level | undefined {
  return levels.find((level) => level === text);
}

function parseVersion(text: string): number | undefined {
  if (text === "latest") {
    return Number.POSITIVE_INFINITY;
  }
  const [, minor] = /^v1\.(0|[1-9]\d*)$/.exec(text) ?? [];
  return minor === undefined ? undefined : Number(minor);
}
