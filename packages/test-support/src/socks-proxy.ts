import net from "node:net";

/** A SOCKS 5 proxy that supports CONNECT only. */
export interface SocksProxy extends AsyncDisposable {
  readonly port: number;
  /** `type:host:port` of each tunnel, as the client requested it. */
  readonly tunnels: readonly string[];
}

interface SocksOptions {
  /** `user:password` that it requires. */
  readonly login?: string;
  /** Local port to which every tunnel leads, instead of the requested target. */
  readonly target?: number;
  /** Reply code for requests; 0 is success. */
  readonly reply?: number;
  /** Text to send in response to anything. */
  readonly raw?: string;
  /** Sends its responses byte by byte. */
  readonly byByte?: boolean;
}

/** Reads exactly the requested number of bytes. */
class Reader {
  readonly #socket: net.Socket;
  constructor(socket: net.Socket) {
    this.#socket = socket;
  }
  async bytes(count: number): Promise<Buffer> {
    for (;;) {
      const chunk = this.#socket.read(count) as Buffer | null;
      if (chunk) {
        return chunk;
      }
      await new Promise((resolve) => this.#socket.once("readable", resolve));
    }
  }
  async block(): Promise<Buffer> {
    const [length = 0] = await this.bytes(1);
    return this.bytes(length);
  }
}

export async function socksProxy(options: SocksOptions = {}): Promise<SocksProxy> {
  const tunnels: string[] = [];
  const sockets = new Set<net.Socket>();

  const say = async (client: net.Socket, ...bytes: number[]) => {
    const parts = options.byByte ? bytes.map((byte) => [byte]) : [bytes];
    for (const part of parts) {
      await new Promise((resolve) => client.write(Uint8Array.from(part), resolve));
    }
  };
  const serve = async (client: net.Socket) => {
    const reader = new Reader(client);
    await reader.bytes(1);
    const offered = await reader.block();
    if (options.raw !== undefined) {
      client.write(options.raw);
      return;
    }
    if (options.login === undefined) {
      await say(client, 5, 0);
    } else {
      await say(client, 5, offered.includes(2) ? 2 : 255);
      await reader.bytes(1);
      const pair = `${await reader.block()}:${await reader.block()}`;
      await say(client, 1, pair === options.login ? 0 : 1);
    }
    const [, , , type = 0] = await reader.bytes(4);
    const host =
      type === 3
        ? String(await reader.block())
        : type === 1
          ? [...(await reader.bytes(4))].join(".")
          : groups(await reader.bytes(16)).join(":");
    const port = (await reader.bytes(2)).readUInt16BE();
    if (options.reply) {
      await say(client, 5, options.reply, 0, 1, 0, 0, 0, 0, 0, 0);
      return;
    }
    const upstream = net.connect({ host: "127.0.0.1", port: options.target ?? port });
    sockets.add(upstream);
    upstream.on("error", () => client.destroy());
    client.on("close", () => upstream.destroy());
    await new Promise((resolve) => upstream.once("connect", resolve));
    tunnels.push(`${type}:${host}:${port}`);
    await say(client, 5, 0, 0, 3, 2, 120, 121, 0, 0);
    upstream.pipe(client).pipe(upstream);
  };
  const server = net.createServer((client) => {
    sockets.add(client);
    client.on("error", () => {});
    serve(client).catch(() => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as net.AddressInfo).port,
    tunnels,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) {
        socket.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function groups(bytes: Buffer): string[] {
  return Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(i * 2).toString(16));
}
