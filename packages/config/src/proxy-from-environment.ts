import { BlockList, isIP } from "node:net";
import type { Environment } from "./load-kubeconfig.js";

/**
 * The proxy that the environment names for a server, as Go's `httpproxy` reads it: `HTTPS_PROXY` or `HTTP_PROXY` by the
 * server's scheme, in capitals first, unless `NO_PROXY` lists the server. This machine is never reached through one.
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
  // In a CGI program HTTP_PROXY is the request's header Proxy.
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

/** An entry of the list: `*`, a CIDR, an address, a name, a suffix; the last three perhaps with a port. */
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
  // `*.example.com` and `.example.com` are the names below it, `example.com` is itself as well. A full name may end with its dot.
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
  // Shorter ones hold all IPv4 addresses for Node, whose forms in IPv6 begin with zeros; for Go none.
  if (isIP(address) === 4 && isIP(network) === 6 && bits < 96) {
    return false;
  }
  const list = new BlockList();
  list.addSubnet(network, bits, family(network));
  return list.check(address, family(address));
}
