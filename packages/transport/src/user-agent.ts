import { version } from "./version.js";

/** What the server's audit log shows for us: `typekube/0.1.0 (linux/x64) node/20`. */
export function defaultUserAgent(): string {
  const major = process.versions.node.split(".")[0] ?? "";
  return `typekube/${version} (${process.platform}/${process.arch}) node/${major}`;
}
