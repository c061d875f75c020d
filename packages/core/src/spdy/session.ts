import { chunkOverhead, createFlowQueue, type FlowQueue } from "./flow-queue.js";
import {
  controlFrame,
  dataFrame,
  frameTypes,
  lastFlag,
  type SpdyFrame,
  SpdyFrameReader,
  words,
} from "./frames.js";
import { createHeaderBlocks, type SpdyHeaders } from "./header-blocks.js";

/** One stream: bytes in both directions. */
export interface SpdyStream {
  readonly headers: SpdyHeaders;
  /** Bytes of the peer until it ends its side. */
  readonly data: AsyncIterable<Uint8Array>;
  /** `true` when the peer, or the end of the session, cut the stream; `data` ends then, too. */
  readonly wasReset: boolean;
  /** Sends bytes; resolves when the connection can take more. Does nothing after {@link end} or a reset. */
  write(data: Uint8Array): Promise<void>;
  /** Ends our side; idempotent. */
  end(): Promise<void>;
  /** Ends both sides at once and drops what was not read; idempotent. */
  reset(): Promise<void>;
}

/** How a {@link SpdySession} is set up. */
export interface SpdySettings {
  /** Sends bytes to the peer; resolves when it can take more. */
  readonly send: (bytes: Uint8Array) => Promise<void>;
  /** Called for each stream that the peer opens. Default: such streams are refused. */
  readonly onStream?: ((stream: SpdyStream) => void) | undefined;
  /** Maximum of open streams; the peer's further ones are refused. Default 2,000. */
  readonly maxStreams?: number | undefined;
  /** Called when bytes of one stream wait for their reader, so that those of all others have to wait, too. */
  readonly onStall?: (() => void) | undefined;
}

const maxFrameBytes = 1024 * 1024;
/** Default maximum of open streams in one session. */
const defaultMaxStreams = 2_000;
/** Bytes of a stream queued for its reader before back-pressure stops the peer. */
const streamBytes = 1024 * 1024;
/** Status codes of a reset. (draft-mbelshe-httpbis-spdy-00, 2.6.3) */
const resetCodes = { refusedStream: 3, cancel: 5 } as const;
/** The highest stream ID. */
const maxStreamId = 0x7fff_ffff;

/**
 * SPDY/3.1 as far as Kubernetes uses it: streams without flow control, since the library of its servers has none
 * (moby/spdystream). Back-pressure therefore stops the whole connection.
 */
export class SpdySession {
  readonly #settings: SpdySettings;
  readonly #reader = new SpdyFrameReader(maxFrameBytes);
  readonly #blocks = createHeaderBlocks();
  readonly #streams = new Map<number, Stream>();
  readonly #pings = new Map<number, () => void>();
  /** Headers are sent in the order of their IDs. */
  #opening: Promise<unknown> = Promise.resolve();
  #nextId = 1;
  #nextPing = 1;
  #isClosed = false;

  constructor(settings: SpdySettings) {
    this.#settings = settings;
  }

  /** Number of open streams. */
  get size(): number {
    return this.#streams.size;
  }

  /** `true` once no more stream can be opened: the IDs are used up, or the session is closed. */
  get isUsedUp(): boolean {
    return this.#isClosed || this.#nextId > maxStreamId - 2;
  }

  /**
   * Opens a stream.
   *
   * @throws {Error} when the session is used up.
   */
  open(headers: Readonly<Record<string, string>>): Promise<SpdyStream> {
    const result = this.#opening.then(async () => {
      if (this.isUsedUp) {
        throw new Error("the connection is closed");
      }
      const id = this.#nextId;
      this.#nextId += 2;
      const map = new Map(Object.entries(headers));
      const block = await this.#blocks.write(map);
      const stream = this.#add(id, map);
      await this.#settings.send(
        controlFrame(frameTypes.open, 0, Buffer.concat([words(id, 0), Buffer.alloc(2), block])),
      );
      return stream;
    });
    this.#opening = result.catch(() => {});
    return result;
  }

  /** Sends a ping; resolves with its answer, or when the session is closed. */
  async ping(): Promise<void> {
    if (this.#isClosed) {
      return;
    }
    const id = this.#nextPing;
    this.#nextPing += 2;
    const answered = new Promise<void>((resolve) => this.#pings.set(id, resolve));
    await this.#settings.send(controlFrame(frameTypes.ping, 0, words(id)));
    await answered;
  }

  /**
   * Takes received bytes; resolves when more may be read.
   *
   * @throws {Error} for bytes that are not valid SPDY.
   */
  async receive(chunk: Buffer): Promise<void> {
    for (const frame of this.#reader.read(chunk)) {
      const waiting = this.#onFrame(frame);
      if (waiting !== undefined) {
        await waiting;
      }
    }
  }

  /** Ends all streams. */
  close(): void {
    this.#isClosed = true;
    for (const stream of [...this.#streams.values()]) {
      stream.onReset();
    }
    this.#streams.clear();
    for (const resolve of this.#pings.values()) {
      resolve();
    }
    this.#pings.clear();
    this.#blocks.close();
  }

  #onFrame(frame: SpdyFrame): Promise<void> | undefined {
    const { type, payload } = frame;
    switch (type) {
      case frameTypes.data:
        return this.#onData(frame);
      case frameTypes.open:
        return this.#onOpen(frame);
      case frameTypes.reply:
      case frameTypes.headers:
        return this.#onHeaders(frame);
      case frameTypes.reset:
        this.#streams.get(payload.readUInt32BE(0))?.onReset();
        return undefined;
      case frameTypes.ping:
        return this.#onPing(payload);
      case frameTypes.goAway:
        // The streams that are open go on; new ones need another connection.
        this.#nextId = maxStreamId;
        return undefined;
      default:
        // Other control frames, such as SETTINGS, have no effect.
        return undefined;
    }
  }

  #onData({ stream: id, flags, payload }: SpdyFrame): Promise<void> | undefined {
    const stream = this.#streams.get(id);
    const isLast = (flags & lastFlag) !== 0;
    if (payload.byteLength === 0 || stream === undefined) {
      if (isLast) {
        stream?.onEnd();
      }
      return undefined;
    }
    const room = stream.onData(payload);
    if (isLast) {
      stream.onEnd();
    }
    if (room !== undefined) {
      this.#settings.onStall?.();
    }
    return room;
  }

  async #onOpen({ flags, payload }: SpdyFrame): Promise<void> {
    const id = payload.readUInt32BE(0);
    // Read in any case: the compression state continues.
    const headers = await this.#blocks.read(payload.subarray(10));
    const { onStream, send, maxStreams = defaultMaxStreams } = this.#settings;
    if (onStream === undefined || this.#streams.size >= maxStreams || this.#streams.has(id)) {
      await send(controlFrame(frameTypes.reset, 0, words(id, resetCodes.refusedStream)));
      return;
    }
    const stream = this.#add(id, headers);
    const reply = Buffer.concat([words(id), await this.#blocks.write(new Map())]);
    await send(controlFrame(frameTypes.reply, 0, reply));
    if ((flags & lastFlag) !== 0) {
      stream.onEnd();
    }
    onStream(stream);
  }

  async #onHeaders({ flags, payload }: SpdyFrame): Promise<void> {
    await this.#blocks.read(payload.subarray(4));
    if ((flags & lastFlag) !== 0) {
      this.#streams.get(payload.readUInt32BE(0))?.onEnd();
    }
  }

  #onPing(payload: Buffer): Promise<void> | undefined {
    const id = payload.readUInt32BE(0);
    const resolve = this.#pings.get(id);
    if (resolve === undefined) {
      return this.#settings.send(controlFrame(frameTypes.ping, 0, payload));
    }
    this.#pings.delete(id);
    resolve();
    return undefined;
  }

  #add(id: number, headers: SpdyHeaders): Stream {
    const stream = new Stream(id, headers, this.#settings.send, () => this.#streams.delete(id));
    this.#streams.set(id, stream);
    return stream;
  }
}

class Stream implements SpdyStream {
  readonly headers: SpdyHeaders;
  readonly data: FlowQueue<Uint8Array> = createFlowQueue(streamBytes);
  wasReset = false;
  readonly #id: number;
  readonly #send: SpdySettings["send"];
  readonly #forget: () => void;
  #isOurSideEnded = false;
  #isTheirSideEnded = false;

  constructor(id: number, headers: SpdyHeaders, send: SpdySettings["send"], forget: () => void) {
    this.#id = id;
    this.headers = headers;
    this.#send = send;
    this.#forget = forget;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (!this.#isOurSideEnded) {
      await this.#send(dataFrame(this.#id, 0, bytes));
    }
  }

  async end(): Promise<void> {
    if (!this.#isOurSideEnded) {
      this.#isOurSideEnded = true;
      this.#forgetIfEnded();
      await this.#send(dataFrame(this.#id, lastFlag, Buffer.alloc(0)));
    }
  }

  async reset(): Promise<void> {
    const isOver = this.#isOurSideEnded && this.#isTheirSideEnded;
    this.#endBoth();
    if (!isOver) {
      await this.#send(controlFrame(frameTypes.reset, 0, words(this.#id, resetCodes.cancel)));
    }
  }

  /** Queues bytes of the peer. Returns a promise that resolves when there is room for more. */
  onData(bytes: Buffer): Promise<void> | undefined {
    return this.#isTheirSideEnded
      ? undefined
      : this.data.push(bytes, bytes.byteLength + chunkOverhead);
  }

  onEnd(): void {
    this.#isTheirSideEnded = true;
    this.data.end();
    this.#forgetIfEnded();
  }

  onReset(): void {
    if (!(this.#isOurSideEnded && this.#isTheirSideEnded)) {
      this.wasReset = true;
    }
    this.#endBoth();
  }

  #endBoth(): void {
    this.#isOurSideEnded = true;
    this.#isTheirSideEnded = true;
    this.data.end();
    this.#forget();
  }

  #forgetIfEnded(): void {
    if (this.#isOurSideEnded && this.#isTheirSideEnded) {
      this.#forget();
    }
  }
}
