import { BlockList, isIP } from "node:net";
import type { Environment } from "./environment.js";

/**
 * Returns the proxy that the environment sets for a server, with the rules of Go's `httpproxy`: `HTTPS_PROXY` or
 * `HTTP_PROXY` by the server's scheme, upper case before lower case, unless `NO_PROXY` lists the server. Loopback
 * addresses never use a proxy.
 *
 * @param server - URL of the server.
 * @returns a URL, or `undefined`.
 */
export function proxyFromEnvironment(server: string, env: Environment): string | undefined {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (!url) {
    return undefined;
  }
  const isHttps = url.protocol === "https:";
  // In a CGI program HTTP_PROXY contains the client's Proxy request header, so it is ignored.
  const named = isHttps
    ? variable(env, "HTTPS_PROXY")
    : env["REQUEST_METHOD"]
      ? undefined
      : variable(env, "HTTP_PROXY");
  const host = url.hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
  const port = url.port || (isHttps ? "443" : "80");
  if (!named || isThisMachine(host) || isExcluded(host, port, variable(env, "NO_PROXY") ?? "")) {
    return undefined;
  }
  return /^(https?|socks5h?):\/\//i.test(named) ? named : `http://${named}`;
}

function variable(env: Environment, name: string): string | undefined {
  return env[name] || env[name.toLowerCase()] || undefined;
}

function isThisMachine(host: string): boolean {
  return (
    host === "localhost" || (isIP(host) !== 0 && isInSubnet(host, "127.0.0.0", 8)) || host === "::1"
  );
}

function isExcluded(host: string, port: string, noProxy: string): boolean {
  return noProxy
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== "" && matches(host, port, entry));
}

/** Matches one entry of `NO_PROXY`: `*`, a CIDR, an address, a name or a suffix; the last three may have a port. */
function matches(host: string, port: string, entry: string): boolean {
  if (entry === "*") {
    return true;
  }
  const [, network = "", bits = ""] = /^([^/]+)\/(\d{1,3})$/.exec(entry) ?? [];
  if (isIP(network) !== 0) {
    return isIP(host) !== 0 && isInSubnet(host, network, Number(bits));
  }
  const { name, port: wanted } = splitPort(entry);
  if (wanted !== undefined && wanted !== port) {
    return false;
  }
  if (isIP(name) !== 0) {
    return isIP(host) !== 0 && isInSubnet(host, name, isIP(name) === 4 ? 32 : 128);
  }
  // `*.example.com` and `.example.com` match only names below the domain, `example.com` also the domain itself. A full
  // name may end with a dot.
  const suffix = name.replace(/^\*(?=\.)/, "").replace(/\.$/, "");
  return suffix.startsWith(".")
    ? host.endsWith(suffix)
    : suffix !== "" && (host === suffix || host.endsWith(`.${suffix}`));
}

function splitPort(entry: string): { readonly name: string; readonly port: string | undefined } {
  const [, bracketed, afterBracket] = /^\[(.*)\](?::(\d+))?$/.exec(entry) ?? [];
  if (bracketed !== undefined) {
    return { name: bracketed, port: afterBracket };
  }
  const [, name = entry, port] = isIP(entry) === 6 ? [] : (/^(.*?)(?::(\d*))?$/.exec(entry) ?? []);
  return { name, port: port || undefined };
}

function isInSubnet(address: string, network: string, bits: number): boolean {
  const family = (ip: string) => (isIP(ip) === 6 ? "ipv6" : "ipv4");
  if (bits > (isIP(network) === 6 ? 128 : 32)) {
    return false;
  }
  // For Node a shorter IPv6 prefix contains all IPv4 addresses, since their IPv6 form begins with zeros; for Go it
  // contains no IPv4 address.
  if (isIP(address) === 4 && isIP(network) === 6 && bits < 96) {
    return false;
  }
  const list = new BlockList();
  list.addSubnet(network, bits, family(network));
  return list.check(address, family(address));
}
