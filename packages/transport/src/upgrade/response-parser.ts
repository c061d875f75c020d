import { KubeError } from "@typekube/core";

/** Receives the parts of a response, in order. */
export interface ResponseParts {
  /** Called once, with names in lower case and repeated headers joined by `, `. */
  readonly onHead: (status: number, headers: Record<string, string>) => void;
  readonly onData: (bytes: Buffer) => void;
  /** Called at the end of the body, or for a 101 with the bytes that already belong to the new protocol. */
  readonly onEnd: (rest: Buffer) => void;
}

/** The part of the response that comes next. A body without a length ends with the connection. */
type ParserState =
  | "body"
  | "chunk"
  | "chunk-end"
  | "chunk-size"
  | "done"
  | "head"
  | "rest"
  | "trailer";

/** Maximum bytes of a line within a chunked body. */
const maxLineBytes = 8 * 1024;
const empty: Buffer = Buffer.alloc(0);
const headEnd = Buffer.from("\r\n\r\n");

/** Parses one HTTP/1.1 response. (RFC 9112) */
export class ResponseParser {
  readonly #parts: ResponseParts;
  readonly #maxHeadBytes: number;
  #state: ParserState = "head";
  #waiting: Buffer = empty;
  /** Bytes that are left of the body, or of its current chunk. */
  #left = 0;

  constructor(parts: ResponseParts, maxHeadBytes: number) {
    this.#parts = parts;
    this.#maxHeadBytes = maxHeadBytes;
  }

  /**
   * Takes received bytes.
   *
   * @throws {KubeError} `NotKubernetes` for a head that is not HTTP, `TooLarge`, `Decode` for invalid chunks.
   */
  read(chunk: Buffer): void {
    this.#waiting = this.#waiting.byteLength === 0 ? chunk : Buffer.concat([this.#waiting, chunk]);
    while (this.#step()) {
      // Each step uses some of the bytes.
    }
  }

  /** Ends the body of a response without a length. Returns `false` when the response is not complete. */
  end(): boolean {
    if (this.#state === "rest") {
      this.#finish(empty);
    }
    return this.#state === "done";
  }

  /** Uses some of the waiting bytes; returns `false` when it needs more of them. */
  #step(): boolean {
    switch (this.#state) {
      case "head":
        return this.#readHead();
      case "body":
      case "chunk":
      case "rest":
        return this.#readData();
      case "done":
        return false;
      default:
        return this.#readLine();
    }
  }

  #readHead(): boolean {
    const at = this.#waiting.indexOf(headEnd);
    if (at > this.#maxHeadBytes || (at < 0 && this.#waiting.byteLength > this.#maxHeadBytes)) {
      throw new KubeError("TooLarge", "the response headers are larger than maxHeaderBytes", {
        hint: "raise limits.maxHeaderBytes if you expect responses of this size",
      });
    }
    if (at < 0) {
      return false;
    }
    const [statusLine = "", ...lines] = this.#waiting.toString("latin1", 0, at).split("\r\n");
    this.#waiting = this.#waiting.subarray(at + headEnd.byteLength);
    const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(statusLine)?.[1]);
    if (Number.isNaN(status)) {
      throw notHttp();
    }
    if (status < 200 && status !== 101) {
      // An interim response, such as 103, comes before the real one.
      return true;
    }
    const headers = headersIn(lines);
    this.#state = this.#bodyState(status, headers);
    this.#parts.onHead(status, headers);
    if (this.#state === "done") {
      this.#parts.onEnd(this.#waiting);
    }
    return this.#state !== "done";
  }

  #bodyState(status: number, headers: Readonly<Record<string, string>>): ParserState {
    const { "content-length": length, "transfer-encoding": encoding } = headers;
    if (status === 101 || status === 204 || status === 304) {
      return "done";
    }
    if (encoding !== undefined) {
      return /(?:^|,)\s*chunked\s*$/i.test(encoding) ? "chunk-size" : "rest";
    }
    if (length === undefined) {
      return "rest";
    }
    if (!/^\d{1,15}$/.test(length)) {
      throw notHttp();
    }
    this.#left = Number(length);
    return this.#left === 0 ? "done" : "body";
  }

  #readData(): boolean {
    const isBounded = this.#state !== "rest";
    const bytes = isBounded ? this.#waiting.subarray(0, this.#left) : this.#waiting;
    if (bytes.byteLength === 0) {
      return false;
    }
    this.#waiting = this.#waiting.subarray(bytes.byteLength);
    this.#left -= bytes.byteLength;
    this.#parts.onData(bytes);
    if (isBounded && this.#left === 0) {
      if (this.#state === "chunk") {
        this.#state = "chunk-end";
      } else {
        this.#finish(this.#waiting);
      }
    }
    return true;
  }

  /** Reads a line of a chunked body: the size of a chunk, the end of one, or a trailer. */
  #readLine(): boolean {
    const at = this.#waiting.indexOf("\r\n");
    if (at > maxLineBytes || (at < 0 && this.#waiting.byteLength > maxLineBytes)) {
      throw brokenChunks();
    }
    if (at < 0) {
      return false;
    }
    const line = this.#waiting.toString("latin1", 0, at);
    this.#waiting = this.#waiting.subarray(at + 2);
    if (this.#state === "trailer") {
      if (line === "") {
        this.#finish(this.#waiting);
      }
      return true;
    }
    if (this.#state === "chunk-end") {
      if (line !== "") {
        throw brokenChunks();
      }
      this.#state = "chunk-size";
      return true;
    }
    const size = /^([0-9a-f]{1,12})[ \t]*(?:;|$)/i.exec(line)?.[1];
    if (size === undefined) {
      throw brokenChunks();
    }
    this.#left = Number.parseInt(size, 16);
    this.#state = this.#left === 0 ? "trailer" : "chunk";
    return true;
  }

  #finish(rest: Buffer): void {
    this.#state = "done";
    this.#parts.onEnd(rest);
  }
}

function headersIn(lines: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      throw notHttp();
    }
    const key = name.toLowerCase();
    const before = headers.get(key);
    headers.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}

function notHttp(): KubeError {
  return new KubeError("NotKubernetes", "the server does not speak HTTP/1.1");
}

function brokenChunks(): KubeError {
  return new KubeError("Decode", "the server sent a body with broken chunks");
}
