/** The certificate that a webhook server uses. */
export interface ServedCertificate {
  /** Certificate, followed by its intermediates, as PEM. */
  readonly cert: string;
  readonly key: string;
  /** Certificates for API servers to trust, as PEM; `undefined` when another program manages them. */
  readonly ca: string | undefined;
}

/** Provides a certificate, and each one that replaces it. */
export interface CertificateSource {
  readonly current: ServedCertificate;
  /**
   * States why the certificate makes the server not ready: it expires soon, and nothing has replaced it. `undefined`
   * while it is fine.
   */
  problem(): string | undefined;
  /** Calls a function with each new certificate or trust bundle. */
  onChange(listener: (certificate: ServedCertificate) => void): void;
  /** Ends watches and timers. */
  close(): Promise<void>;
}

/** Receives the events of a {@link CertificateSource}. */
export interface CertificateReports {
  /** Called after each read that found something new, or something invalid. */
  readonly onRead: (ok: boolean) => void;
  readonly onError: (error: Error) => void;
}
