import { fileURLToPath } from "node:url";

const file = (name: string): string =>
  fileURLToPath(new URL(`../../test-support/fixtures/${name}`, import.meta.url));

/** PEM files of a server on 127.0.0.1 and of its CA, from the transport's tests. */
export const certificates: Readonly<Record<"ca" | "cert" | "key", string>> = {
  ca: file("ca.pem"),
  cert: file("server.pem"),
  key: file("server.key.pem"),
};
