import type {
  Container,
  ContainerStateTerminated,
  ContainerStatus,
  EphemeralContainer,
  Pod,
} from "@typekube/api/core/v1";

/** The state of a container, as far as its log depends on it. */
export interface ContainerInstance {
  /** Number of restarts, which tells instances apart. */
  readonly restarts: number;
  readonly isRunning: boolean;
  /** How the last instance that ended did so; `undefined` when none has. */
  readonly ended: ContainerStateTerminated | undefined;
  /** `true` when another instance will or may run. */
  readonly runsAgain: boolean;
}

/** Returns the state of a container; `undefined` when the status of the pod does not have it. */
export function containerInstance(pod: Pod, name: string): ContainerInstance | undefined {
  const status = statusNamed(pod, name);
  if (status === undefined) {
    return undefined;
  }
  const { state, lastState, restartCount } = status;
  const isRunning = state?.running !== undefined;
  const ended = state?.terminated ?? lastState?.terminated;
  return {
    restarts: restartCount,
    isRunning,
    ended,
    runsAgain: isRunning || runsAgain(pod, name, ended),
  };
}

function statusNamed({ status }: Pod, name: string): ContainerStatus | undefined {
  const {
    containerStatuses = [],
    initContainerStatuses = [],
    ephemeralContainerStatuses = [],
  } = status ?? {};
  return [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses].find(
    (one) => one.name === name,
  );
}

/** Applies the restart policies of a pod and of its container. */
function runsAgain(
  { metadata, spec, status }: Pod,
  name: string,
  ended: ContainerStateTerminated | undefined,
): boolean {
  const isOver = status?.phase === "Succeeded" || status?.phase === "Failed";
  if (isOver || metadata?.deletionTimestamp !== undefined) {
    return false;
  }
  if (ended === undefined) {
    return true;
  }
  const isNamed = (one: Container | EphemeralContainer) => one.name === name;
  const init = spec?.initContainers?.find(isNamed);
  const container = init ?? spec?.containers.find(isNamed);
  if (container === undefined) {
    // Ephemeral containers run once.
    return false;
  }
  const rule = container.restartPolicyRules?.find(({ exitCodes }) => {
    const isListed = exitCodes?.values?.includes(ended.exitCode) ?? false;
    return exitCodes?.operator === "NotIn" ? !isListed : isListed;
  });
  const policy = container.restartPolicy ?? spec?.restartPolicy ?? "Always";
  if (rule !== undefined) {
    return true;
  }
  // A successful init container has done its work, unless it is a sidecar.
  const isDone = ended.exitCode === 0 && init !== undefined && init.restartPolicy !== "Always";
  return !isDone && (policy === "Always" || (policy === "OnFailure" && ended.exitCode !== 0));
}
