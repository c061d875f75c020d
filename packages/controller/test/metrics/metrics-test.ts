import { request } from "node:http";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

/** A response, its body without compression. */
export interface Scraped {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Sends a GET request to a port of this machine. */
export async function get(
  port: number | undefined,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Scraped> {
  const {
    status,
    headers: received,
    bytes,
  } = await new Promise<{
    status: number;
    headers: Scraped["headers"];
    bytes: Buffer;
  }>((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part) => parts.push(part));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: Buffer.concat(parts),
        }),
      );
    });
    sent.on("error", reject);
    sent.end();
  });
  const plain = received["content-encoding"] === "gzip" ? await promisify(gunzip)(bytes) : bytes;
  return { status, headers: received, body: plain.toString() };
}

/** Returns the samples of an exposition by name and labels: `name{a="b"}`. */
export function samplesOf(text: string): Map<string, number> {
  return new Map(
    text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => {
        const at = line.lastIndexOf(" ");
        return [line.slice(0, at), Number(line.slice(at + 1))] as const;
      }),
  );
}
