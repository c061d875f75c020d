import type { Live } from "@typekube/api";
import { Pod } from "@typekube/api/core/v1";
import type { ApiObject } from "../../objects/api-object.js";
import { nodeOf } from "../pods/node-of.js";
import {
  endedEphemeral,
  hasNewEphemeral,
  hasRunningEphemeral,
  startedEphemeral,
} from "./ephemeral-containers.js";
import { scheduled, started, stopped } from "./pod-events.js";
import { nodeAddress } from "./register-nodes.js";
import { type Stage, type StageEvent, type StagePatch, stage } from "./stage.js";

/** Options of `runPods`. */
export interface RunPodsOptions {
  /** Node for pods without one. The server creates a Node of this name at startup. Default "node-1". */
  readonly node?: string | undefined;
  /** Milliseconds of the server's clock from a pod's assignment to a node until it is ready. Default 1000. */
  readonly readyAfterMs?: number | undefined;
  /**
   * Further milliseconds until the containers of a pod with `restartPolicy: Never` or `OnFailure`, such as a Job's,
   * have exited with code 0, and ephemeral containers of any pod. Default 1000.
   */
  readonly completeAfterMs?: number | undefined;
  /** Milliseconds from the deletion of a pod until it is gone. Default 0: as soon as a controller reacts. */
  readonly stopAfterMs?: number | undefined;
  /** Selects the pods to run. Default: all. */
  readonly when?: ((pod: Live<Pod>) => boolean) | undefined;
}

type Status = NonNullable<Pod["status"]>;

/**
 * Returns the stages of a scheduler and kubelet without failures: pods are assigned to a node, become ready, succeed
 * unless their `restartPolicy` is `Always`, and are removed when deleted; ephemeral containers run once. Each stage records the Events of its
 * component.
 */
export function runPods(options: RunPodsOptions = {}): readonly Stage[] {
  const { node = "node-1", when = () => true } = options;
  const { readyAfterMs = 1_000, completeAfterMs = 1_000, stopAfterMs = 0 } = options;
  const wantedNode = (pod: Live<Pod>) => nodeOf(pod as unknown as ApiObject) || node;
  const run = (
    isWanted: (pod: Live<Pod>) => boolean,
    after: number,
    status: (pod: Live<Pod>, now: string) => StagePatch<Status>,
    events: (pod: Live<Pod>) => readonly StageEvent[] = () => [],
  ) =>
    stage(Pod, {
      when: (pod) => when(pod) && isOnNode(pod) && isWanted(pod),
      after,
      set: (pod, { now }) => ({ status: status(pod, now) }),
      events,
      manager: "kubelet",
    });
  return [
    stage(Pod, {
      when: (pod) => when(pod) && isOnNode(pod) && isGoing(pod),
      after: stopAfterMs,
      delete: true,
      events: stopped,
      manager: "kubelet",
    }),
    {
      ...stage(Pod, {
        when: (pod) =>
          when(pod) && !isOnNode(pod) && !isGoing(pod) && !pod.spec?.schedulingGates?.length,
        set: (pod) => ({ spec: { nodeName: wantedNode(pod) } }),
        events: (pod) => [scheduled(pod, wantedNode(pod))],
        manager: "kube-scheduler",
      }),
      node,
    },
    run(({ status }) => (status?.phase ?? "Pending") === "Pending", readyAfterMs, running, started),
    run(hasNewEphemeral, readyAfterMs, startedEphemeral),
    run(hasRunningEphemeral, completeAfterMs, endedEphemeral),
    run((pod) => pod.status?.phase === "Running" && !restarts(pod), completeAfterMs, succeeded),
  ];
}

function running({ spec, status, metadata }: Live<Pod>, now: string): StagePatch<Status> {
  const address = addressOf(metadata.uid);
  return {
    phase: "Running",
    hostIP: nodeAddress,
    hostIPs: [{ ip: nodeAddress }],
    podIP: address,
    podIPs: [{ ip: address }],
    startTime: now,
    conditions: conditions(status, now, "True"),
    containerStatuses: (spec?.containers ?? []).map(({ name, image = "" }) => ({
      name,
      image,
      imageID: image,
      ready: true,
      started: true,
      restartCount: 0,
      state: { running: { startedAt: now } },
    })),
  };
}

function succeeded({ status }: Live<Pod>, now: string): StagePatch<Status> {
  return {
    phase: "Succeeded",
    conditions: conditions(status, now, "False"),
    containerStatuses: (status?.containerStatuses ?? []).map((container) => ({
      ...container,
      ready: false,
      started: false,
      state: {
        terminated: {
          exitCode: 0,
          reason: "Completed",
          startedAt: container.state?.running?.startedAt ?? now,
          finishedAt: now,
        },
      },
    })),
  };
}

type Condition = NonNullable<Status["conditions"]>[number];

function conditions(status: Status | undefined, now: string, ready: "False" | "True"): Condition[] {
  const wanted = {
    PodReadyToStartContainers: "True",
    Initialized: "True",
    Ready: ready,
    ContainersReady: ready,
  };
  const others = (status?.conditions ?? []).filter(({ type }) => !Object.hasOwn(wanted, type));
  const made = Object.entries(wanted).map(([type, is]): Condition => {
    const before = status?.conditions?.find((one) => one.type === type);
    return before?.status === is ? before : { type, status: is, lastTransitionTime: now };
  });
  return [...made, ...others];
}

/** Returns the IP address of a pod, derived from its UID; 65,536 are available. */
function addressOf(uid: string): string {
  const number = Number.parseInt(uid.slice(0, 4), 16);
  return `10.244.${number >> 8}.${number & 255}`;
}

function isOnNode({ spec }: Live<Pod>): boolean {
  return (spec?.nodeName ?? "") !== "";
}

function isGoing({ metadata }: Live<Pod>): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function restarts({ spec }: Live<Pod>): boolean {
  return (spec?.restartPolicy ?? "Always") === "Always";
}
