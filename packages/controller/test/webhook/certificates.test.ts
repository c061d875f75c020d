import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Secret } from "@typekube/api/core/v1";
import { type ApiServer, startApiServer } from "@typekube/apiserver";
import { manualClock } from "@typekube/test-support/manual-clock";
import { makeCertificate } from "@typekube/transport/internal";
import type { Client } from "typekube";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CertificateSource } from "../../src/webhook/certificates/certificate-source.js";
import { openMountedCertificate } from "../../src/webhook/certificates/mounted-certificate.js";
import { openSelfMadeCertificate } from "../../src/webhook/certificates/self-made-certificate.js";

const dayMs = 24 * 3_600_000;

describe("certificates in a folder", () => {
  let directory: string;
  let clock: ReturnType<typeof manualClock>;
  let source: CertificateSource | undefined;
  let version = 0;
  const reads: boolean[] = [];
  const errors: string[] = [];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "typekube-webhook-"));
    clock = manualClock();
    reads.length = 0;
    errors.length = 0;
  });
  afterEach(async () => {
    await source?.close();
    source = undefined;
    await rm(directory, { recursive: true, force: true });
  });

  const make = (now = Date.now()) =>
    makeCertificate({ subject: { commonName: "x" }, use: "server", hosts: ["x"], now });

  /** Replaces the files as kubelet does: by a symbolic link to a new folder. */
  async function mount(files: Readonly<Record<string, string>>): Promise<void> {
    version += 1;
    const data = join(directory, `..v${version}`);
    await mkdir(data);
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(data, name), text);
      await symlink(join("..data", name), join(directory, name)).catch(() => {});
    }
    await symlink(`..v${version}`, join(directory, "..tmp"));
    await rename(join(directory, "..tmp"), join(directory, "..data"));
  }

  const open = async (readFile?: (path: string) => Promise<string>) => {
    source = await openMountedCertificate({
      directory,
      clock,
      ...(readFile === undefined ? {} : { readFile }),
      onRead: (ok) => reads.push(ok),
      onError: ({ message }) => errors.push(message),
    });
    return source;
  };

  test("CA18: a swapped link is noticed by its event, and by the poll of 10 s", async () => {
    const [first, second, third] = [make(), make(), make()];
    await mount({ "tls.crt": first.cert, "tls.key": first.key, "ca.crt": "CA" });
    const opened = await open();
    const changes: string[] = [];
    opened.onChange(({ cert }) => changes.push(cert));
    expect(opened.current).toEqual({ cert: first.cert, key: first.key, ca: "CA" });
    await mount({ "tls.crt": second.cert, "tls.key": second.key });
    let passedMs = 0;
    await expect
      .poll(() => {
        passedMs += 10;
        clock.advance(10);
        return opened.current.cert;
      })
      .toBe(second.cert);
    expect(passedMs).toBeLessThan(10_000);
    await mount({ "tls.crt": third.cert, "tls.key": third.key });
    await expect
      .poll(() => {
        clock.advance(10_000);
        return opened.current.cert;
      })
      .toBe(third.cert);
    expect(changes).toEqual([second.cert, third.cert]);
  });

  test("CA18: a swap during a read is no mismatch, and is read once more", async () => {
    const [first, second] = [make(), make()];
    let files: Readonly<Record<string, string>> = { "tls.crt": first.cert, "tls.key": first.key };
    let swapBefore = "";
    const opened = await open(async (path) => {
      const name = basename(path);
      if (name === swapBefore) {
        files = { "tls.crt": second.cert, "tls.key": second.key };
        swapBefore = "";
      }
      return files[name] ?? "";
    });
    swapBefore = "tls.key";
    clock.advance(10_000);
    await new Promise(setImmediate);
    expect([errors, opened.current.cert]).toEqual([[], first.cert]);
    clock.advance(100);
    await new Promise(setImmediate);
    expect([errors, opened.current.cert]).toEqual([[], second.cert]);
  });

  test("CA18: a swap during the first read does not fail the start", async () => {
    const [first, second] = [make(), make()];
    let reads = 0;
    const opened = await open(async (path) => {
      const name = basename(path);
      reads += 1;
      const { cert, key } = reads === 1 ? first : second;
      return name === "tls.crt" ? cert : name === "tls.key" ? key : "";
    });
    expect(opened.current.cert).toBe(second.cert);
  });

  test("CA18: events of other files don't put off the read of a new pair", async () => {
    const [first, second] = [make(), make()];
    await mount({ "tls.crt": first.cert, "tls.key": first.key });
    const opened = await open();
    await mount({ "tls.crt": second.cert, "tls.key": second.key });
    let passedMs = 0;
    await expect
      .poll(
        async () => {
          await writeFile(join(directory, "other"), String(passedMs));
          passedMs += 50;
          clock.advance(50);
          return opened.current.cert;
        },
        { interval: 5 },
      )
      .toBe(second.cert);
    expect(passedMs).toBeLessThan(10_000);
  });

  test("CA18: an event during a read starts no second read beside it", async () => {
    const pairs = [make(), make()];
    await mount({ "tls.crt": pairs[0]?.cert ?? "", "tls.key": pairs[0]?.key ?? "" });
    let reading = 0;
    let most = 0;
    const gates: (() => void)[] = [];
    let isGated = false;
    const opened = await open(async (path) => {
      const text = await readFile(path, "utf8").catch(() => "");
      if (isGated && path.endsWith("tls.crt")) {
        reading += 1;
        most = Math.max(most, reading);
        await new Promise<void>((resolve) => gates.push(resolve));
        reading -= 1;
      }
      return text;
    });
    isGated = true;
    clock.advance(10_000);
    await expect.poll(() => gates.length).toBe(1);
    await mount({ "tls.crt": pairs[1]?.cert ?? "", "tls.key": pairs[1]?.key ?? "" });
    for (let turn = 0; turn < 20; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      clock.advance(1_000);
    }
    isGated = false;
    gates.forEach((release) => {
      release();
    });
    await expect
      .poll(() => {
        clock.advance(100);
        return opened.current.cert;
      })
      .toBe(pairs[1]?.cert);
    expect([most, errors]).toEqual([1, []]);
  });

  test("CA19: a mismatched pair and a missing file leave the old pair, and are reported once each", async () => {
    const [first, second] = [make(), make()];
    await mount({ "tls.crt": first.cert, "tls.key": first.key });
    const opened = await open();
    const settle = async (errorCount: number) => {
      await expect
        .poll(() => {
          clock.advance(10_000);
          return errors.length;
        })
        .toBe(errorCount);
      for (let n = 0; n < 5; n += 1) {
        clock.advance(10_000);
        await new Promise(setImmediate);
      }
      expect(errors.length).toBe(errorCount);
    };
    await mount({ "tls.crt": second.cert, "tls.key": first.key });
    await settle(1);
    expect(errors[0]).toContain("the key does not belong to the certificate");
    await rm(join(directory, "..data"));
    await settle(2);
    expect(errors[1]).toContain("tls.crt or tls.key is missing or empty");
    expect(opened.current.cert).toBe(first.cert);
    expect(reads).toEqual([true, false, false]);
    await mount({ "tls.crt": second.cert, "tls.key": second.key });
    await expect
      .poll(() => {
        clock.advance(10_000);
        return opened.current.cert;
      })
      .toBe(second.cert);
  });

  test("CA19: identical bytes are no reload", async () => {
    const first = make();
    await mount({ "tls.crt": first.cert, "tls.key": first.key });
    const opened = await open();
    let changes = 0;
    opened.onChange(() => {
      changes += 1;
    });
    await mount({ "tls.crt": first.cert, "tls.key": first.key });
    for (let n = 0; n < 10; n += 1) {
      clock.advance(10_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect([changes, reads]).toEqual([0, [true]]);
  });

  test("CA19: not ready within 24 hours of the end of the certificate", async () => {
    const first = make(clock.now());
    await mount({ "tls.crt": first.cert, "tls.key": first.key });
    const opened = await open();
    expect(opened.problem()).toBeUndefined();
    clock.jump(364 * dayMs + 1);
    expect(opened.problem()).toContain("valid only until");
  });

  test("CA19: a folder without a certificate is a Config error; a close leaves no timer", async () => {
    await assert.rejects(open(), { code: "Config", message: new RegExp(directory) });
    const first = make();
    await mount({ "tls.crt": first.cert, "tls.key": first.key });
    await (await open()).close();
    expect(clock.pending).toBe(0);
  });
});

describe("self-made certificates in a Secret", () => {
  let api: ApiServer;
  let client: Client;
  let clock: ReturnType<typeof manualClock>;
  const sources: CertificateSource[] = [];
  const errors: string[] = [];

  beforeEach(async () => {
    api = await startApiServer();
    client = (await api.client()) as Client;
    clock = manualClock();
    errors.length = 0;
  });
  afterEach(async () => {
    await Promise.all(sources.splice(0).map((source) => source.close()));
    expect(clock.pending).toBe(0);
    await api[Symbol.asyncDispose]();
  });

  const open = async () => {
    const source = await openSelfMadeCertificate({
      client,
      clock,
      random: () => 0,
      name: "certs",
      namespace: "default",
      hosts: ["hooks.default.svc"],
      phaseMs: 3_600_000,
      isPublished: () => true,
      onRead() {},
      onError: ({ message }) => errors.push(message),
    });
    sources.push(source);
    return source;
  };
  const secrets = () => client.resource(Secret, "default");
  /** Polls while due timers run. */
  const poll = (read: () => unknown) =>
    expect.poll(() => {
      clock.advance(0);
      return read();
    });

  test("CA22: three replicas that start at once serve one certificate", async () => {
    const replicas = await Promise.all([open(), open(), open()]);
    const certificates = replicas.map(({ current }) => current);
    expect(new Set(certificates.map(({ cert }) => cert)).size).toBe(1);
    expect(new Set(certificates.map(({ ca }) => ca)).size).toBe(1);
    const { type, data } = await secrets().get("certs");
    expect([type, Object.keys(data ?? {}).sort()]).toEqual([
      "kubernetes.io/tls",
      ["ca.crt", "ca.key", "tls.crt", "tls.key"],
    ]);
  });

  test("CA21, CA22, CA23: replicas replace the authority together, phase by phase", async () => {
    const [one, other] = [await open(), await open()];
    const first = one.current;
    const bundleSizes = () =>
      [one, other].map(({ current }) => current.ca?.match(/BEGIN/g)?.length);
    // The first of the checks each 12 h that finds less than 90 days of life.
    clock.advance(3_561 * dayMs);
    await poll(bundleSizes).toEqual([2, 2]);
    const announced = one.current;
    expect(announced.ca).toContain(first.ca);
    clock.advance(3_600_000);
    await poll(() => [one, other].map(({ current }) => current.cert === announced.cert)).toEqual([
      false,
      false,
    ]);
    expect([other.current.cert, bundleSizes()]).toEqual([one.current.cert, [2, 2]]);
    clock.advance(3_600_000);
    await poll(bundleSizes).toEqual([1, 1]);
    expect(first.ca).not.toContain(one.current.ca);
    expect(Object.keys((await secrets().get("certs")).data ?? {})).not.toContain("next-ca.key");
  });

  test("CA22: a deleted or damaged Secret is restored with the certificate that is served", async () => {
    const source = await open();
    const { cert } = source.current;
    const stored = async () =>
      Buffer.from((await secrets().find("certs"))?.data?.["tls.crt"] ?? "", "base64").toString();
    await secrets().delete("certs");
    await poll(stored).toBe(cert);
    await secrets().modify("certs", (draft) => {
      draft.data = { ...draft.data, "tls.key": "" };
    });
    await poll(async () => (await secrets().get("certs")).data?.["tls.key"]).not.toBe("");
    expect([await stored(), errors.length]).toEqual([cert, 1]);
  });
});
