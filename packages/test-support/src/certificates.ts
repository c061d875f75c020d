import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A certificate and its key as PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority created for a test, and the certificates it signs. */
export interface TestAuthority extends AsyncDisposable {
  readonly ca: string;
  /** Creates a client certificate with this common name. */
  client(name: string): Promise<KeyPair>;
  /** Creates a certificate for a server at 127.0.0.1. */
  server(): Promise<KeyPair>;
  /** Creates an authority signed by this one. Its files are removed together with those of this one. */
  intermediate(): Promise<Pick<TestAuthority, "ca" | "server">>;
}

/** Creates an authority. Requires OpenSSL, as the fixtures do. */
export async function authority(): Promise<TestAuthority> {
  const dir = await mkdtemp(join(tmpdir(), "typekube-ca-"));
  const openssl = (...args: string[]) => run("openssl", args, { cwd: dir });
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  await openssl(
    "req",
    "-x509",
    ...newKey,
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem",
    "-subj",
    "/CN=test CA",
    "-days",
    "30",
  );
  let serial = 0;
  const sign = async (name: string, extension: string, signer = "ca"): Promise<KeyPair> => {
    serial += 1;
    const file = `leaf-${serial}`;
    await writeFile(join(dir, `${file}.ext`), extension);
    await openssl(
      "req",
      ...newKey,
      "-keyout",
      `${file}.key`,
      "-out",
      `${file}.csr`,
      "-subj",
      `/CN=${name}`,
    );
    await openssl(
      "x509",
      "-req",
      "-in",
      `${file}.csr`,
      "-CA",
      `${signer}.pem`,
      "-CAkey",
      `${signer}.key`,
      "-set_serial",
      String(Date.now() * 100 + serial),
      "-days",
      "30",
      "-extfile",
      `${file}.ext`,
      "-out",
      `${file}.pem`,
    );
    const [cert, key] = await Promise.all(
      [`${file}.pem`, `${file}.key`].map((path) => readFile(join(dir, path), "utf8")),
    );
    return { cert: cert ?? "", key: key ?? "" };
  };
  const forServers = "subjectAltName=IP:127.0.0.1,DNS:localhost";
  return {
    ca: await readFile(join(dir, "ca.pem"), "utf8"),
    client: (name) => sign(name, "extendedKeyUsage=clientAuth"),
    server: () => sign("localhost", forServers),
    async intermediate() {
      const { cert } = await sign("intermediate CA", "basicConstraints=critical,CA:TRUE");
      const signer = `leaf-${serial}`;
      return { ca: cert, server: () => sign("localhost", forServers, signer) };
    },
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }),
  };
}
