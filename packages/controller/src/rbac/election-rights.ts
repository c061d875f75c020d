import type { Right } from "@typekube/client";

const group = "coordination.k8s.io";
/** Verbs of an election on its object after the creation. Servers without streaming lists need `list`. */
const keeping = ["get", "list", "update", "watch"];

/** The election of a manager, as far as its rights depend on it. */
export interface ElectionRights {
  /** Namespace of the Lease. */
  readonly namespace: string;
  /** Name of the Lease: the rights are then for this one. Default: for all Leases of the namespace. */
  readonly name?: string | undefined;
  /** Set for an election whose leader the API server chooses; it needs LeaseCandidates. Default: none. */
  readonly coordinated?: object | undefined;
}

/** Returns the rights of an election in its namespace. */
export function electionRights({ name, coordinated }: ElectionRights): Right[] {
  return [
    { group, resource: "leases", verbs: ["create"] },
    { group, resource: "leases", verbs: keeping, name },
    // Each candidate has a name of its own, which is new with each start.
    ...(coordinated === undefined
      ? []
      : [{ group, resource: "leasecandidates", verbs: ["create", ...keeping] }]),
  ];
}

/** Returns the rights of a sharding in its namespace: its Leases have names of shards and of replicas. */
export function shardRights(): Right[] {
  return [{ group, resource: "leases", verbs: ["create", "delete", ...keeping] }];
}
