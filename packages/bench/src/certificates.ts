import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const file = (name: string): string =>
  fileURLToPath(new URL(`../../test-support/fixtures/${name}`, import.meta.url));

/** PEM files of a server on 127.0.0.1 and of its CA, from the transport's tests. */
export const certificates: Readonly<Record<"ca" | "cert" | "key", string>> = {
  ca: file("ca.pem"),
  cert: file("server.pem"),
  key: file("server.key.pem"),
};

/** Returns a folder with the same certificate under the names that webhooks read; it is removed when this process exits. */
export function certificateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "typekube-bench-certificates-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  copyFileSync(certificates.ca, join(folder, "ca.crt"));
  copyFileSync(certificates.cert, join(folder, "tls.crt"));
  copyFileSync(certificates.key, join(folder, "tls.key"));
  return folder;
}
