import { getEventListeners } from "node:events";
import { mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { inspect } from "node:util";
import { KubeError } from "@typekube/core";
import { brokenBody, bytesOf, failure, get, text } from "@typekube/test-support/calls";
import { authority, type KeyPair, type TestAuthority } from "@typekube/test-support/certificates";
import { manualClock } from "@typekube/test-support/manual-clock";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ClientCertificate, createTransport, tokenFile } from "../../src/index.js";
import {
  type FollowedTls,
  followTlsFiles,
  tlsFilesCheckMs,
  withTlsFiles,
} from "../../src/tls/tls-files.js";

let old: TestAuthority;
let young: TestAuthority;
let first: KeyPair;
let second: KeyPair;
let dir: string;

beforeAll(async () => {
  [old, young] = await Promise.all([authority(), authority()]);
  [first, second] = await Promise.all([old.client("first"), old.client("second")]);
  dir = await mkdtemp(join(tmpdir(), "typekube-tls-"));
});

afterAll(async () => {
  await Promise.all([old[Symbol.asyncDispose](), young[Symbol.asyncDispose]()]);
  await rm(dir, { recursive: true, force: true });
});

/** Starts a server that responds with the name in the client's certificate; `/watch` sends it and stays open. */
async function namingServer(
  signer: TestAuthority,
  options: { status?: (name: string) => number } = {},
) {
  const watches: ServerResponse[] = [];
  let connections = 0;
  const server = createHttpsServer(
    {
      ...(await signer.server()),
      ca: [old.ca, young.ca],
      requestCert: true,
      rejectUnauthorized: false,
    },
    (request, response) => {
      const name = String(
        (request.socket as TLSSocket).getPeerCertificate().subject?.CN ?? "nobody",
      );
      response.statusCode = options.status?.(name) ?? 200;
      if (request.url === "/watch") {
        watches.push(response);
        response.write(`${name}\n`);
      } else {
        response.end(name);
      }
    },
  );
  server.on("secureConnection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    watches,
    get connections() {
      return connections;
    },
    replace: (pair: KeyPair) => server.setSecureContext(pair),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Writes a key pair and a CA to files. */
async function files(name: string, pair: KeyPair, ca = old.ca) {
  const paths = {
    ca: join(dir, `${name}.ca`),
    cert: join(dir, `${name}.crt`),
    key: join(dir, `${name}.key`),
  };
  const write = async (next: KeyPair, nextCa = ca) => {
    await Promise.all([
      writeFile(paths.cert, next.cert),
      writeFile(paths.key, next.key),
      writeFile(paths.ca, nextCa),
    ]);
  };
  await write(pair);
  return { paths, write, tls: { ca, ...pair } };
}

describe("TLS files that change", () => {
  test("S9, N24: new connections use the new certificate; a running watch continues on the old one", async () => {
    await using server = await namingServer(old);
    const { paths, write, tls } = await files("rotate", first);
    const clock = manualClock();
    await using transport = createTransport({ server: server.url, tls, tlsFiles: paths, clock });
    const name = async () => text(await transport.send(get()));
    const watch = (await transport.send(get({ path: "/watch", mode: "stream" }))).body[
      Symbol.asyncIterator
    ]();
    expect(String((await watch.next()).value)).toBe("first\n");
    expect(await name()).toBe("first");

    await write(second);
    expect(await name()).toBe("first");
    clock.advance(tlsFilesCheckMs);
    expect(await Promise.all([name(), name(), name()])).toEqual(["second", "second", "second"]);

    server.watches[0]?.end("still first\n");
    expect(Buffer.from((await watch.next()).value as Uint8Array).toString()).toBe("still first\n");
    expect((await watch.next()).done).toBe(true);
    const before = server.connections;
    clock.advance(tlsFilesCheckMs);
    expect(await name()).toBe("second");
    expect(server.connections).toBe(before);
  });

  test("X8: replaces the credentials' certificate while the CA changes, and while the CA is invalid", async () => {
    await using server = await namingServer(old);
    const { paths, write, tls } = await files("plugin", first);
    const clock = manualClock();
    let certificate: ClientCertificate = first;
    await using transport = createTransport({
      server: server.url,
      tls: { ca: tls.ca },
      tlsFiles: { ca: paths.ca },
      clock,
      auth: { headers: async () => ({}), certificate: async () => certificate },
    });
    const name = async () => text(await transport.send(get()));
    const watch = (await transport.send(get({ path: "/watch", mode: "stream" }))).body;
    const lines = watch[Symbol.asyncIterator]();
    expect(String((await lines.next()).value)).toBe("first\n");
    await write(first, `${old.ca}${young.ca}`);
    clock.advance(tlsFilesCheckMs);
    expect(await name()).toBe("first");
    await write(first, "garbage");
    clock.advance(tlsFilesCheckMs);
    expect(await name()).toBe("first");
    // Its watch ends, even on connections from before the CA change. The last valid CA still verifies the server.
    certificate = second;
    expect(await name()).toBe("second");
    expect((await failure(lines.next())).code).toBe("ConnectionClosed");
  });

  test("S9: checks the files at once after a 401 and sends the call once more", async () => {
    await using server = await namingServer(old, {
      status: (name) => (name === "second" ? 200 : 401),
    });
    const { paths, write, tls } = await files("unauthorized", first);
    await using transport = createTransport({
      server: server.url,
      tls,
      tlsFiles: paths,
      clock: manualClock(),
    });
    expect((await transport.send(get({ method: "POST" }))).status).toBe(401);
    await write(second);
    const response = await transport.send(get({ method: "POST" }));
    expect([response.status, await text(response)]).toEqual([200, "second"]);
  });

  test("S8, S7: a failed handshake reloads a changed CA; active streams continue", async () => {
    await using server = await namingServer(old);
    const { paths, write, tls } = await files("ca", first);
    await using transport = createTransport({
      server: server.url,
      tls,
      tlsFiles: paths,
      clock: manualClock(),
    });
    const watch = (await transport.send(get({ path: "/watch", mode: "stream" }))).body[
      Symbol.asyncIterator
    ]();
    await watch.next();
    server.replace(await young.server());
    const refused = await failure(transport.send(get()));
    expect(refused.code).toBe("Tls");
    await write(first, young.ca);
    expect(await text(await transport.send(get({ method: "POST" })))).toBe("first");
    server.watches[0]?.end("on\n");
    expect(Buffer.from((await watch.next()).value as Uint8Array).toString()).toBe("on\n");
  });

  test("S9: ignores a new certificate until its key arrives", async () => {
    await using server = await namingServer(old);
    const { paths, write, tls } = await files("half", first);
    const clock = manualClock();
    await using transport = createTransport({ server: server.url, tls, tlsFiles: paths, clock });
    const name = async () => {
      clock.advance(tlsFilesCheckMs);
      return text(await transport.send(get()));
    };
    await writeFile(paths.cert, second.cert);
    expect(await name()).toBe("first");
    await writeFile(paths.key, "canary");
    expect(await name()).toBe("first");
    await write(second);
    expect(await name()).toBe("second");
  });

  test("N25: an unresponsive disk outlasts neither the call nor the transport", async () => {
    const stuck: FollowedTls = {
      current: () => new Promise(() => {}),
      recheck: () => new Promise(() => {}),
    };
    const refusing: FollowedTls = { ...stuck, current: () => ({}) };
    const refuse = () => Promise.resolve({ status: 401, headers: {}, body: bytesOf("no") });
    for (const followed of [stuck, refusing]) {
      const clock = manualClock();
      const [aborting, closing] = [new AbortController(), new AbortController()];
      const bounds = { clock, timeoutMs: 5000, closing: closing.signal };
      const send = withTlsFiles(followed, () => {}, bounds)(refuse);
      const late = failure(send(get({ timeoutMs: 1000 })));
      const aborted = send(get({ signal: aborting.signal }));
      const closed = send(get());
      const settled = Promise.allSettled([late, aborted, closed]);
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(1000);
      expect((await late).code).toBe("DeadlineExceeded");
      aborting.abort("why");
      await expect(aborted).rejects.toBe("why");
      closing.abort("closed");
      await expect(closed).rejects.toBe("closed");
      await settled;
      expect(clock.pending).toBe(0);
      expect(getEventListeners(aborting.signal, "abort")).toHaveLength(0);
    }
  });

  test("S9: sends a call at most once more, within its own time", async () => {
    const clock = manualClock();
    const [before, after] = [{}, {}];
    const followed: FollowedTls = {
      current: () => (times.length > 0 ? after : before),
      recheck: async () => true,
    };
    const outcomes = [
      { status: 401, headers: {}, body: brokenBody() },
      new KubeError("Tls", "the handshake failed"),
    ];
    const used: unknown[] = [];
    const times: (number | undefined)[] = [];
    const send = withTlsFiles(followed, (tls) => used.push(tls), { clock })(async (request) => {
      times.push(request.timeoutMs);
      clock.advance(300);
      const outcome = outcomes.shift();
      if (outcome === undefined || outcome instanceof KubeError) {
        throw outcome;
      }
      return outcome;
    });
    expect((await failure(send(get({ timeoutMs: 1000 })))).code).toBe("Tls");
    expect(times).toEqual([1000, 700]);
    expect(used).toEqual([before, after]);
  });

  test("S7: unchanged, missing and empty files keep the material and its object", async () => {
    const { paths, write, tls } = await files("keep", first);
    const clock = manualClock();
    const followed = followTlsFiles(paths, tls, clock);
    const next = async () => {
      clock.advance(tlsFilesCheckMs);
      return followed.current();
    };
    expect(followed.current()).toBe(tls);
    expect(await next()).toBe(tls);
    await writeFile(paths.ca, "");
    expect(await next()).toBe(tls);
    await rename(paths.ca, `${paths.ca}.gone`);
    expect(await next()).toBe(tls);
    await write(second, young.ca);
    const changed = await next();
    expect(changed).toMatchObject({ ca: young.ca, cert: second.cert });
    expect(await next()).toBe(changed);
    expect(
      `${inspect(changed, { depth: 9, showHidden: true })}${JSON.stringify(changed)}`,
    ).not.toContain(second.key.split("\n")[1]);
  });

  test("S7, S2: still reads files after the time of day was set back", async () => {
    const { paths, write, tls } = await files("back", first);
    let now = 5_000_000;
    const clock = { schedule: manualClock().schedule, now: () => now };
    const followed = followTlsFiles(paths, tls, clock);
    const read = async () => String(now);
    const token = tokenFile("/t", { clock, read });
    await token.headers();
    now -= 3_600_000;
    await write(second);
    expect(await followed.current()).toMatchObject({ cert: second.cert });
    expect(await token.headers()).toEqual({ authorization: `Bearer ${now}` });
  });

  test("S7: checks files a second after the last check, although the time of day was set by less", async () => {
    const { paths, write, tls } = await files("set", first);
    const clock = manualClock();
    const followed = followTlsFiles(paths, tls, clock);
    clock.advance(tlsFilesCheckMs);
    await followed.current();
    await write(second);
    clock.jump(1 - tlsFilesCheckMs);
    clock.advance(tlsFilesCheckMs);
    expect(await followed.current()).toMatchObject({ cert: second.cert });
  });

  test("S7: uses a CA file that was empty at first, and follows swapped links", async () => {
    const link = join(dir, "link.ca");
    await writeFile(join(dir, "v1"), "");
    await writeFile(join(dir, "v2"), young.ca);
    await symlink(join(dir, "v1"), link);
    const clock = manualClock();
    const followed = followTlsFiles({ ca: link }, {}, clock);
    clock.advance(tlsFilesCheckMs);
    expect(await followed.current()).toEqual({});
    await symlink(join(dir, "v2"), `${link}.new`);
    await rename(`${link}.new`, link);
    clock.advance(tlsFilesCheckMs);
    expect(await followed.current()).toEqual({ ca: young.ca });
  });
});
