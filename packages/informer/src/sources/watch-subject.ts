/** The followed resource, as known before the first request. */
export interface WatchSubject {
  readonly apiVersion: string;
  /** Plural name; the kind, as long as discovery has not found it. */
  readonly resource: string;
  /** Default: all namespaces, or a cluster-wide resource. */
  readonly namespace?: string | undefined;
}
