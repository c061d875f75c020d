/** Names outside of the cluster that the operator makes, and has to clean up. */
export interface Dns {
  set(host: string, signal: AbortSignal): Promise<void>;
  remove(host: string, signal: AbortSignal): Promise<void>;
}

/** Names in memory, in place of a provider's API. */
export function memoryDns(): Dns & { readonly hosts: ReadonlySet<string> } {
  const hosts = new Set<string>();
  return {
    hosts,
    async set(host, signal) {
      signal.throwIfAborted();
      hosts.add(host);
    },
    async remove(host, signal) {
      signal.throwIfAborted();
      hosts.delete(host);
    },
  };
}
