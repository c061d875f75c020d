import { type FSWatcher, watch } from "node:fs";
import { join } from "node:path";
import { KubeError } from "@typekube/core";
import type { Clock } from "@typekube/core/internal";
import { readConfigFile } from "@typekube/transport/internal";
import type {
  CertificateReports,
  CertificateSource,
  ServedCertificate,
} from "./certificate-source.js";
import { checkedPair, expiryProblem } from "./key-pair.js";

/** Milliseconds between two reads of the files. (controller-runtime `pkg/certwatcher`: 10 s) */
const pollMs = 10_000;
/** Milliseconds from a file event to the read: the files of a pair are often written one after the other. */
const settleMs = 100;

/** Reads of the files at the start, until two are alike. */
const mostFirstReads = 10;

/** Settings of {@link openMountedCertificate}. */
export interface MountedCertificateSettings extends CertificateReports {
  /** Folder with `tls.crt`, `tls.key` and, optionally, `ca.crt`, as a mounted Secret has them. */
  readonly directory: string;
  readonly clock: Clock;
  /** Reads a file; default: from disk. A file that cannot be read counts as empty. */
  readonly readFile?: (path: string) => Promise<string>;
}

/**
 * Follows the certificate in a folder: by events of the file system, and each 10 seconds. A pair that is missing or does
 * not fit leaves the one before in use.
 *
 * @throws {KubeError} `Config` when the folder has no valid certificate yet.
 */
export async function openMountedCertificate(
  settings: MountedCertificateSettings,
): Promise<CertificateSource> {
  const first = await validated(await settledFiles(settings), settings.directory);
  settings.onRead(true);
  return new MountedCertificate(settings, first);
}

class MountedCertificate implements CertificateSource {
  readonly #settings: MountedCertificateSettings;
  readonly #listeners: ((certificate: ServedCertificate) => void)[] = [];
  readonly #watcher: FSWatcher | undefined;
  #current: ServedCertificate;
  /** Content that was read last, valid or not: the same content is reported once. */
  #seen: string;
  #cancel: () => void;
  #reading: Promise<void> | undefined;
  /** True when an event came during a read: what that read saw may be older. */
  #isOutdated = false;
  /** True while a read is due because of an event. */
  #isSettling = false;
  #isClosed = false;

  constructor(settings: MountedCertificateSettings, first: ServedCertificate) {
    this.#settings = settings;
    this.#current = first;
    this.#seen = JSON.stringify(first);
    this.#cancel = this.#schedule(pollMs);
    this.#watcher = this.#watch();
  }

  get current(): ServedCertificate {
    return this.#current;
  }

  problem(): string | undefined {
    return expiryProblem(this.#current.cert, this.#settings.clock.now());
  }

  onChange(listener: (certificate: ServedCertificate) => void): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    this.#watcher?.close();
    await this.#reading;
  }

  /** Watches the folder. Where that is impossible, the poll remains. */
  #watch(): FSWatcher | undefined {
    try {
      return watch(this.#settings.directory, { persistent: false }, () => {
        if (this.#reading !== undefined) {
          this.#isOutdated = true;
        } else if (!this.#isClosed && !this.#isSettling) {
          // Later events do not move this read: a folder in which files change all the time must be read, too.
          this.#isSettling = true;
          this.#cancel();
          this.#cancel = this.#schedule(settleMs);
        }
      }).on("error", () => {});
    } catch {
      return undefined;
    }
  }

  #schedule(delayMs: number): () => void {
    return this.#settings.clock.schedule(
      delayMs,
      () => {
        this.#isOutdated = false;
        this.#isSettling = false;
        this.#reading = this.#readAndGoOn();
      },
      true,
    );
  }

  async #readAndGoOn(): Promise<void> {
    let isSettled = true;
    try {
      isSettled = await this.#read();
    } finally {
      this.#reading = undefined;
      if (!this.#isClosed) {
        this.#cancel = this.#schedule(isSettled && !this.#isOutdated ? pollMs : settleMs);
      }
    }
  }

  /** Reads the pair and takes a new one. False when the files changed meanwhile: the pair must be read again. */
  async #read(): Promise<boolean> {
    const { directory, onRead, onError } = this.#settings;
    const files = await readFiles(this.#settings);
    const seen = JSON.stringify(files);
    if (seen === this.#seen || this.#isClosed) {
      return true;
    }
    if (seen !== JSON.stringify(await readFiles(this.#settings)) || this.#isClosed) {
      return false;
    }
    this.#seen = seen;
    try {
      this.#current = await validated(files, directory);
    } catch (error) {
      onRead(false);
      onError(KubeError.from(error));
      return true;
    }
    onRead(true);
    for (const listener of this.#listeners) {
      listener(this.#current);
    }
    return true;
  }
}

/** Reads the files until two reads are alike, since a swap may happen between them. */
async function settledFiles(settings: MountedCertificateSettings): Promise<Files> {
  let files = await readFiles(settings);
  for (let reads = 1; reads < mostFirstReads; reads += 1) {
    const again = await readFiles(settings);
    if (JSON.stringify(again) === JSON.stringify(files)) {
      break;
    }
    files = again;
  }
  return files;
}

interface Files {
  readonly cert: string;
  readonly key: string;
  readonly ca: string | undefined;
}

async function readFiles(settings: MountedCertificateSettings): Promise<Files> {
  const { directory, readFile = readConfigFile } = settings;
  const read = (file: string) => readFile(join(directory, file)).catch(() => "");
  const [cert, key, ca] = await Promise.all([read("tls.crt"), read("tls.key"), read("ca.crt")]);
  return { cert, key, ca: ca.trim() === "" ? undefined : ca };
}

async function validated({ cert, key, ca }: Files, directory: string): Promise<ServedCertificate> {
  try {
    if (cert.trim() === "" || key.trim() === "") {
      throw new KubeError("Config", "tls.crt or tls.key is missing or empty");
    }
    checkedPair(cert, key);
    return { cert, key, ca };
  } catch (cause) {
    const { rawMessage } = KubeError.from(cause);
    throw new KubeError("Config", `no new certificate in ${directory}: ${rawMessage}`, { cause });
  }
}
