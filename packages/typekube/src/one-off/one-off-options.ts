import type { EphemeralContainer } from "@typekube/api/core/v1";
import type { ExecOptions, ExecOutput, ExecSessionOptions } from "@typekube/client";

/** A pod that runs one image. For anything else, such as volumes, pass a Pod. */
export interface ImageToRun {
  /** Name of the image, such as `busybox:1.36`. */
  readonly image: string;
  /** Default: the namespace of the client. */
  readonly namespace?: string | undefined;
  /** Name of the pod. Default: `run-` with five random characters. */
  readonly name?: string | undefined;
  /** Labels of the pod. Default: none, so that no Service selects it. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Variables of the environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Default: that of the namespace, `default`. */
  readonly serviceAccountName?: string | undefined;
}

/** Options of exec that containers with their own process do not have. */
type ExecOnly = "onAbort" | "stderr" | "stdout" | "verifyOutput" | "waitReady";

/** Command of a container. */
export interface ContainerCommand {
  /** Replaces the command of the image. Default: the image decides. */
  readonly command?: readonly string[] | undefined;
}

/**
 * Options of `runPod` when it collects the output. `timeoutMs` limits the time until the container has started, by default
 * 60 seconds; `sessionTimeoutMs` limits the whole run.
 */
export interface RunPodOptions extends ContainerCommand, Omit<ExecOptions, ExecOnly> {}

/** Options of `runPod` when it returns a session. */
export interface RunPodSessionOptions
  extends ContainerCommand,
    Omit<ExecSessionOptions, ExecOnly> {}

/** The ephemeral container that `debug` adds. */
export interface DebugContainer extends ContainerCommand {
  /** Image with the programs for debugging. */
  readonly image: string;
  /** Name of the container. Default: `debugger-` with five random characters. */
  readonly name?: string | undefined;
  /** Container whose processes it sees, where the runtime supports that. Default: none. */
  readonly target?: string | undefined;
  /** Variables of the environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Default: that of the API. */
  readonly imagePullPolicy?: "Always" | "IfNotPresent" | "Never" | undefined;
  /** Such as `{ capabilities: { add: ["SYS_PTRACE"] } }`. Default: none. */
  readonly securityContext?: EphemeralContainer["securityContext"];
}

/** Options of `debug` when it collects the output; those of time are as with `runPod`. */
export interface DebugOptions extends DebugContainer, Omit<ExecOptions, ExecOnly | "container"> {}

/** Options of `debug` when it returns a session. */
export interface DebugSessionOptions
  extends DebugContainer,
    Omit<ExecSessionOptions, ExecOnly | "container"> {}

/** Output of a container that has ended. */
export interface ContainerOutput<T extends Buffer | string = string> extends ExecOutput<T> {
  /** Name of the pod. */
  readonly pod: string;
  /** Name of the container. */
  readonly container: string;
}

/** The pod to debug: an object of the server, or its name. */
export type PodToDebug =
  | { readonly metadata: { readonly name: string; readonly namespace?: string | undefined } }
  | { readonly name: string; readonly namespace: string };

/** Options with which a call returns a session. */
export type WithSession =
  | { readonly session: true }
  | { readonly stdin: true }
  | { readonly tty: true };
