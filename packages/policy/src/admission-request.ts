/** Names a kind. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Names a resource. */
export interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** The user of a request. */
export interface RequestUser {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The operations that admission decides on. */
export type Operation = "CONNECT" | "CREATE" | "DELETE" | "UPDATE";

/**
 * The variable `request` of expressions: `request` of an AdmissionReview without its objects. Empty texts are absent, as
 * on the wire. (k8s.io/api/admission/v1)
 */
export interface AdmissionRequest {
  /** Kind of the object as the policy sees it. */
  readonly kind: GroupVersionKind;
  /** Resource as the policy sees it. */
  readonly resource: GroupVersionResource;
  readonly subResource?: string;
  /** Kind in the request, which has another version if the policy matches an equivalent one. */
  readonly requestKind?: GroupVersionKind;
  readonly requestResource?: GroupVersionResource;
  readonly requestSubResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: Operation;
  readonly userInfo?: RequestUser;
  readonly dryRun?: boolean;
  /** The options of the request, for example CreateOptions. */
  readonly options?: unknown;
}
