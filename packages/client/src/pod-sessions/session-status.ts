import { KubeError, type Status } from "@typekube/core";
import { errorFromStatus, isJsonObject } from "@typekube/core/internal";
import type { WebSocketEnd } from "@typekube/transport/internal";

/** Maximum bytes of a session's status. */
export const maxStatusBytes: number = 1024 * 1024;

/** A status comes in one message, or in a few. */
const maxAttempts = 100;

/** Reads the status that ends a session from the error channel. The first complete one counts. */
export class StatusReader {
  #text = "";
  #attempts = 0;
  #status: Status | undefined;

  get status(): Status | undefined {
    return this.#status;
  }

  /** Adds bytes of the error channel. */
  read(bytes: Uint8Array): void {
    if (this.#status !== undefined || this.#text.length > maxStatusBytes) {
      return;
    }
    const text = Buffer.from(bytes).toString("utf8");
    this.#text += text;
    // Go's encoder of JSON writes a newline behind it.
    if (!text.trimEnd().endsWith("}") || ++this.#attempts > maxAttempts) {
      return;
    }
    try {
      const value: unknown = JSON.parse(this.#text);
      this.#status = isJsonObject(value) ? (value as Status) : undefined;
    } catch {
      // More may come.
    }
  }

  /** `true` when bytes came that are no status. */
  get isMalformed(): boolean {
    return this.#status === undefined && this.#text !== "";
  }
}

/**
 * Returns the exit code in the status of a session. (client-go `remotecommand/v4.go`)
 *
 * @throws {KubeError} the failure that it states; `Decode` when it has no exit code that can be read.
 */
export function exitCodeOf(status: Status): number {
  if (status.status === "Success") {
    return 0;
  }
  if (status.status !== "Failure") {
    throw malformed(`its status is neither Success nor Failure`);
  }
  if (status.reason !== "NonZeroExitCode") {
    throw errorFromStatus(status, {});
  }
  const causes = status.details?.causes;
  if (!Array.isArray(causes)) {
    throw malformed("a NonZeroExitCode has no causes");
  }
  const found = causes.filter(isJsonObject).find((cause) => cause["reason"] === "ExitCode");
  const code = found?.["message"];
  if (typeof code !== "string" || !/^\d{1,10}$/.test(code)) {
    throw malformed("its cause ExitCode is missing or not a number");
  }
  return Number(code);
}

/** Returns the error for a status that cannot be read. */
export function malformed(why: string): KubeError {
  return new KubeError(
    "Decode",
    `error stream protocol: the status of the session is invalid: ${why}`,
  );
}

/** Returns the error for a connection that ended before the status came. */
export function endedWithoutStatus({ code, reason, error }: WebSocketEnd): KubeError {
  if (error instanceof KubeError) {
    return error;
  }
  const why = reason === "" ? "" : `: ${reason}`;
  return new KubeError(
    "ConnectionClosed",
    code === 1000 || code === 1005
      ? "the session ended without a status"
      : `the connection of the session was lost (WebSocket close code ${code})${why}`,
    { cause: error, hint: "the process may still run" },
  );
}
