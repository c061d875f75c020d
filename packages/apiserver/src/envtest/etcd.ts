import { join } from "node:path";
import { ServerProcess } from "./server-process.js";
import { waitUntil } from "./wait-until.js";

/** A running etcd with one member. */
export interface Etcd {
  readonly url: string;
  readonly process: ServerProcess;
  /** Compacts the history up to now. */
  compact(): Promise<void>;
  /** Writes bytes directly, bypassing the API server. */
  put(key: string, value: string): Promise<void>;
}

/** Ports and data folder of an etcd. */
export interface EtcdOptions {
  readonly folder: string;
  readonly port: number;
  readonly peerPort: number;
  readonly timeoutMs: number;
}

/** Starts an etcd and waits until it is healthy. */
export async function startEtcd(
  { etcd }: { readonly etcd: string },
  options: EtcdOptions,
): Promise<Etcd> {
  const url = `http://127.0.0.1:${options.port}`;
  const peerUrl = `http://127.0.0.1:${options.peerPort}`;
  const process = new ServerProcess(etcd, [
    `--data-dir=${join(options.folder, "etcd")}`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
    "--unsafe-no-fsync", // the data is only needed during the tests
  ]);
  try {
    await waitUntil(async () => (await fetch(`${url}/health`)).ok, process, options.timeoutMs);
  } catch (error) {
    await process.kill();
    throw error;
  }
  return { url, process, compact: () => compact(url), put: (key, value) => put(url, key, value) };
}

async function put(url: string, key: string, value: string): Promise<void> {
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  await ask(`${url}/v3/kv/put`, { key: base64(key), value: base64(value) });
}

/** Writes a key, whose revision is newer than every object, and compacts up to that revision. */
async function compact(url: string): Promise<void> {
  const key = Buffer.from("/typekube/compaction").toString("base64");
  const { header } = await ask<{ header: { revision: string } }>(`${url}/v3/kv/put`, {
    key,
    value: "",
  });
  await ask(`${url}/v3/kv/compaction`, { revision: header.revision, physical: true });
}

/** Sends a request to etcd's JSON gateway. */
async function ask<T>(url: string, body: object): Promise<T> {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  if (!response.ok) {
    throw new Error(`etcd answered ${response.status} to ${url}: ${await response.text()}`);
  }
  return (await response.json()) as T;
}
