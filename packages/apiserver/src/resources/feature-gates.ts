import { KubeError } from "@typekube/core";
import { featureGateFacts } from "../generated/feature-gates.js";

/** Gates used in the declared validation rules of types. */
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

/** Returns whether this server knows a rule's gate. */
export function isRuleGate(name: string): name is RuleGate {
  return (ruleGates as readonly string[]).includes(name);
}

/** The gates of kube-apiserver that affect this server. */
export interface FeatureGates extends Readonly<Record<RuleGate, boolean>> {
  /** Volume health in the statuses of pods, claims and CSINodes. Alpha. */
  readonly CSIVolumeHealth: boolean;
  /** Node resources used by devices, in ResourceSlices and pod statuses. Alpha since 1.36. */
  readonly DRANodeAllocatableResources: boolean;
  /** CBOR for request and response bodies, watches and apply. Alpha since 1.32. */
  readonly CBORServingAndStorage: boolean;
  /** Streaming lists (`sendInitialEvents`). On since 1.34; off in 1.33, after it was on in 1.32. */
  readonly WatchList: boolean;
  /** Compression of streaming lists. On since 1.37. */
  readonly WatchListCompression: boolean;
  /** Sharded lists and watches by hash (`shardSelector`). Alpha since 1.36. */
  readonly ShardedListAndWatch: boolean;
  /** Impersonation restricted to some verbs. On since 1.36. */
  readonly ConstrainedImpersonation: boolean;
  /** Reviews of access and identity are not sent to admission webhooks. On since 1.37. */
  readonly ExcludeAdmissionWebhookVirtualResources: boolean;
  /** User UIDs in client certificates. On since 1.33. */
  readonly AllowParsingUserUIDFromCertAuth: boolean;
}

/** The state of the gates, and the warnings that a real server would log at startup. */
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
  "ExcludeAdmissionWebhookVirtualResources",
  "ShardedListAndWatch",
  "WatchList",
  "WatchListCompression",
] as const satisfies readonly (keyof FeatureGates)[];

/** The gates of each release without switches: forks, of which there are many, need not read them again. */
const byDefault = new Map<string, ReadGates>();

/**
 * Sets gates like the flag of a real server. `AllAlpha` and `AllBeta` apply to all gates of a stage.
 *
 * @param version - the release that the server emulates, such as "1.37".
 * @throws {KubeError} `InvalidArgument` for a gate that the release does not have, or that is locked.
 */
export function readFeatureGates(
  version: string,
  switches?: Readonly<Record<string, boolean>>,
): ReadGates {
  if (switches !== undefined) {
    return switchedGates(version, switches);
  }
  let gates = byDefault.get(version);
  if (gates === undefined) {
    gates = switchedGates(version, {});
    byDefault.set(version, gates);
  }
  return gates;
}

function switchedGates(version: string, switches: Readonly<Record<string, boolean>>): ReadGates {
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

/** Returns the stage of a gate in a release; `undefined` when the release does not have the gate. */
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

/** Returns the minor release of "1.37" or "1.37.1". */
export function minorOf(version: string): number {
  return Number(version.split(".")[1] ?? 0);
}
