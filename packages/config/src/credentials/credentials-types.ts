import type { Credentials } from "@typekube/transport";

/** The request that needs credentials. */
export type CredentialsCall = NonNullable<Parameters<Credentials["headers"]>[0]>;

/** A client certificate and its key. */
export type ClientCertificate = NonNullable<
  Awaited<ReturnType<NonNullable<Credentials["certificate"]>>>
>;
