import { KubeError } from "@typekube/core";
import { featureGateFacts } from "./feature-gate-facts.js";

/** Gates that types name in the rules that they declare for their fields. */
export const ruleGates = [
  "CompositePodGroup",
  "DRAPartitionableDevicesType",
  "HPAScaleToZero",
  "InPlacePodVerticalScalingSchedulerPreemption",
  "PodGroupPreemptionPolicy",
  "TopologyAwareWorkloadScheduling",
  "WorkloadWithJob",
] as const;

type RuleGate = (typeof ruleGates)[number];

/** Whether a rule's gate is one that this server knows. */
export function isRuleGate(name: string): name is RuleGate {
  return (ruleGates as readonly string[]).includes(name);
}

/** Gates of kube-apiserver that this server acts upon, under their own names. */
export interface FeatureGates extends Readonly<Record<RuleGate, boolean>> {
  /** Health of volumes in the statuses of pods, claims and CSINodes. Alpha. */
  readonly CSIVolumeHealth: boolean;
  /** Resources of nodes that devices take, in ResourceSlices and statuses of pods. Alpha since 1.36. */
  readonly DRANodeAllocatableResources: boolean;
  /** CBOR for bodies, answers, watches and apply. Alpha since 1.32. */
  readonly CBORServingAndStorage: boolean;
  /** Lists that are streamed by watches (`sendInitialEvents`). On since 1.34; off in 1.33, after it was on in 1.32. */
  readonly WatchList: boolean;
  /** Compression of such lists. On since 1.37. */
  readonly WatchListCompression: boolean;
  /** Parts of lists and watches by a hash (`shardSelector`). Alpha since 1.36. */
  readonly ShardedListAndWatch: boolean;
  /** Impersonation that is allowed for some verbs only. On since 1.36. */
  readonly ConstrainedImpersonation: boolean;
  /** Uids of users in client certificates. On since 1.33. */
  readonly AllowParsingUserUIDFromCertAuth: boolean;
}

/** Which gates are on, and what a real server would say while it starts. */
export interface ReadGates {
  readonly gates: FeatureGates;
  readonly warnings: readonly string[];
}

interface Stage {
  readonly since: number;
  readonly stage: "a" | "b" | "d" | "g";
  readonly on: boolean;
  readonly isLocked: boolean;
}

const acted = [
  ...ruleGates,
  "AllowParsingUserUIDFromCertAuth",
  "CBORServingAndStorage",
  "ConstrainedImpersonation",
  "ShardedListAndWatch",
  "WatchList",
  "WatchListCompression",
] as const satisfies readonly (keyof FeatureGates)[];

/**
 * Switches gates as the flag of a real server does. `AllAlpha` and `AllBeta` stand for all of a stage.
 *
 * @param version - the release that the server claims to be, "1.37".
 * @throws {KubeError} `InvalidArgument` for a gate that the release does not have, or that it cannot switch any more.
 */
export function readFeatureGates(
  version: string,
  switches: Readonly<Record<string, boolean>> = {},
): ReadGates {
  const minor = minorOf(version);
  const warnings: string[] = [];
  for (const [name, on] of Object.entries(switches)) {
    const warning = Object.hasOwn(groups, name) ? undefined : checkSwitch(name, on, minor);
    if (warning !== undefined) {
      warnings.push(warning);
    }
  }
  const isOn = (name: string) => {
    const stage = stageAt(name, minor);
    const group = stage?.stage === "a" ? "AllAlpha" : stage?.stage === "b" ? "AllBeta" : "";
    return switches[name] ?? (stage === undefined ? false : (switches[group] ?? stage.on));
  };
  const gates = Object.fromEntries(acted.map((name) => [name, isOn(name)]));
  return { gates: gates as unknown as FeatureGates, warnings };
}

const groups: Readonly<Record<string, true>> = { AllAlpha: true, AllBeta: true };

function checkSwitch(name: string, on: boolean, minor: number): string | undefined {
  const stage = stageAt(name, minor);
  if (stage === undefined) {
    throw new KubeError("InvalidArgument", `unrecognized feature gate: ${name}`);
  }
  if (stage.isLocked && stage.on !== on) {
    throw new KubeError(
      "InvalidArgument",
      `cannot set feature gate ${name} to ${on}, feature is locked to ${stage.on}`,
    );
  }
  const word = stage.stage === "d" ? "deprecated" : stage.stage === "g" ? "GA" : undefined;
  return word === undefined
    ? undefined
    : `Setting ${word} feature gate ${name}=${on}. It will be removed in a future release.`;
}

/** The stage of a gate in a release; `undefined` when the release has no such gate. */
function stageAt(name: string, minor: number): Stage | undefined {
  const facts = Object.hasOwn(featureGateFacts, name) ? featureGateFacts[name] : undefined;
  return facts
    ?.split(" ")
    .map(readStage)
    .filter(({ since }) => since <= minor)
    .at(-1);
}

function readStage(text: string): Stage {
  const [, since = "0", stage = "g", sign, lock] = /^1\.(\d+)([abdg])([-+])(!?)$/.exec(text) ?? [];
  return {
    since: Number(since),
    stage: stage as Stage["stage"],
    on: sign === "+",
    isLocked: lock === "!",
  };
}

/** The minor release of "1.37" or "1.37.1". */
export function minorOf(version: string): number {
  return Number(version.split(".")[1] ?? 0);
}
