/** One connection to a port of a pod. */
export interface PortConnection {
  /** Bytes of the pod until it ends its side, or the connection is cut. */
  readonly data: AsyncIterable<Uint8Array>;
  /** Sends bytes; resolves when more can be sent. Does nothing once the connection is over. */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends our side, where the protocol can say so. */
  end(): Promise<void>;
  /** Cuts the connection; idempotent. */
  reset(): void;
  /** After the end of `data`: resolves with the reason when the connection failed, otherwise with `undefined`. */
  failure(): Promise<string | undefined>;
}

/** Maximum characters of an error that a node reports. */
const maxErrorLength = 4_096;

/** Reads the text of an error stream. */
export async function errorText(source: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of source) {
    if (text.length < maxErrorLength) {
      text += Buffer.from(chunk).toString("utf8");
    }
  }
  return text.slice(0, maxErrorLength).trim();
}
