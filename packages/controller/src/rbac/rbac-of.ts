import type { ResourceDescriptor } from "@typekube/api";
import type { ClusterRole, PolicyRule, Role } from "@typekube/api/rbac/v1";
import type { Right } from "@typekube/client";
import { KubeError } from "@typekube/core";
import { groupOf, kindId } from "../definition/any-kind.js";
import type { Controller } from "../definition/controller.js";
import type { DeclaredKind } from "../definition/kind-choice.js";
import { type ElectionRights, electionRights, shardRights } from "./election-rights.js";
import { mergedRules } from "./merged-rules.js";
import { type WebhookRights, webhookRights } from "./webhook-rights.js";

/** Options of {@link rbacOf}. */
export interface RbacOptions {
  /**
   * Name of the roles. Default: the names of the controllers, joined by dashes; without any, the resources of the rights, or
   * `webhooks`.
   */
  readonly name?: string | undefined;
  /**
   * The election of the manager, if it has one: its Lease needs rights in its namespace. With the `name` the rights are
   * for this Lease alone.
   */
  readonly leaderElection?: ElectionRights | undefined;
  /** The sharding of the manager, if it has one: its Leases need rights in their namespace. */
  readonly shards?: { readonly namespace: string } | undefined;
  /**
   * The webhooks of the manager, if it has some: they apply their configurations and keep their certificate in a Secret of
   * `namespace`. What their handlers do with a client of their own is not known.
   */
  readonly webhooks?: WebhookRights | undefined;
  /**
   * Descriptors of kinds that the controllers declare as `{ apiVersion, kind }`, such as `client.discovery.find` returns.
   * Default: none.
   */
  readonly descriptors?: readonly ResourceDescriptor[] | undefined;
  /** `false` when the manager records no events. Default true, and false for nothing but rights. */
  readonly events?: boolean | undefined;
}

/** The rights of an operator. */
export interface OperatorRoles {
  /** Rights in all namespaces and on cluster-wide kinds; `undefined` when none are needed. */
  readonly clusterRole: ClusterRole | undefined;
  /** Rights in single namespaces. */
  readonly roles: readonly Role[];
}

const reading = ["get", "list", "watch"];
const writing = ["create", "delete", "patch", "update"];

/**
 * Derives the rights that controllers and webhooks need from what they declare; rights that a program needs beside, such as
 * those that `Widget.rights(["get"])` of a custom resource returns, are added. Kinds whose cache is narrowed to
 * namespaces, the Leases of the election or of the sharding, and the Secret of the webhooks go into a Role of each
 * namespace, everything else into one ClusterRole. Rights that go beyond the declaration are added to the kind:
 * `{ kind: Secret, verbs: ["create"] }`.
 *
 * It sends no requests, so that roles can be written without a cluster. A role names resources by their plural, which
 * only the descriptor of a kind has. The plural of a kind that is declared as `{ apiVersion, kind }` is not guessed from
 * its name: a wrong one would grant nothing, or something else. Pass its descriptor in `descriptors`.
 *
 * @throws {KubeError} `InvalidArgument` for a kind whose descriptor is neither declared nor passed, and for webhooks
 * whose Secret has no namespace.
 */
export function rbacOf(
  controllers: Controller | readonly (Controller | Right)[],
  options: RbacOptions = {},
): OperatorRoles {
  const given = (Array.isArray(controllers) ? controllers : [controllers]) as (
    | Controller
    | Right
  )[];
  const rights = given.filter((one): one is Right => "resource" in one);
  const all = given.filter((one): one is Controller => !("resource" in one));
  const {
    leaderElection,
    shards,
    webhooks,
    descriptors = [],
    events = all.length > 0 || webhooks !== undefined || rights.length === 0,
    name = defaultName(all, rights),
  } = options;
  const byPlace = new Map<string | undefined, Right[]>();
  const add = (namespace: string | undefined, ...rights: readonly Right[]) => {
    byPlace.set(namespace, [...(byPlace.get(namespace) ?? []), ...rights]);
  };
  for (const controller of all) {
    for (const { kind, rights } of rightsOf(controller, descriptors)) {
      for (const namespace of kind.namespaces ?? [undefined]) {
        add(namespace, ...rights);
      }
    }
  }
  for (const right of rights) {
    add(right.namespace, right);
  }
  if (events) {
    // The newest note of a series is patched through the core group, as events.k8s.io declares it immutable.
    for (const group of ["", "events.k8s.io"]) {
      add(undefined, { group, resource: "events", verbs: ["create", "patch"] });
    }
  }
  if (leaderElection !== undefined) {
    add(leaderElection.namespace, ...electionRights(leaderElection));
  }
  if (shards !== undefined) {
    add(shards.namespace, ...shardRights());
  }
  for (const { namespace, rights } of webhooks === undefined ? [] : webhookRights(webhooks)) {
    add(namespace, ...rights);
  }
  const rulesIn = (namespace: string | undefined) => mergedRules(byPlace.get(namespace) ?? []);
  const ofCluster = rulesIn(undefined);
  return {
    clusterRole: ofCluster.length === 0 ? undefined : roleNamed(name, ofCluster),
    roles: [...byPlace.keys()]
      .filter((namespace) => namespace !== undefined)
      .sort()
      .map((namespace) => ({
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "Role",
        metadata: { name, namespace },
        rules: rulesIn(namespace),
      })),
  };
}

function defaultName(controllers: readonly Controller[], rights: readonly Right[]): string {
  const resources = new Set(rights.map(({ resource }) => resource.split("/")[0]));
  return controllers.map((one) => one.name).join("-") || [...resources].join("-") || "webhooks";
}

function roleNamed(name: string, rules: PolicyRule[]): ClusterRole {
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name },
    rules,
  };
}

interface KindRights {
  readonly kind: DeclaredKind;
  readonly rights: readonly Right[];
}

function rightsOf(
  { kind, owns, watches, reads, settings }: Controller,
  descriptors: readonly ResourceDescriptor[],
): KindRights[] {
  const right = (one: DeclaredKind, verbs: readonly string[], sub = ""): Right => ({
    group: groupOf(one.kind),
    resource: descriptorOf(one, descriptors).plural + sub,
    verbs: [...verbs, ...(sub === "" ? (one.verbs ?? []) : [])],
  });
  const hasStatus = "status" in descriptorOf(kind, descriptors).subresources;
  const own: Right[] = [
    right(kind, settings.finalizers.length > 0 ? [...reading, "patch"] : reading),
    ...(hasStatus ? [right(kind, ["patch"], "/status")] : []),
    // Servers with the plugin OwnerReferencesPermissionEnforcement ask for it when an owner blocks deletions.
    ...(owns.length > 0 ? [right(kind, ["update"], "/finalizers")] : []),
  ];
  return [
    { kind, rights: own },
    ...owns.map((one) => ({ kind: one, rights: [right(one, [...reading, ...writing])] })),
    ...watches.map((one) => ({ kind: one.kind, rights: [right(one.kind, reading)] })),
    ...reads.map((one) => ({
      kind: one,
      rights: [right(one, one.cached === false ? ["get", "list"] : reading)],
    })),
  ];
}

function descriptorOf(
  { kind }: DeclaredKind,
  descriptors: readonly ResourceDescriptor[],
): ResourceDescriptor {
  const found = "plural" in kind ? kind : descriptors.find((one) => kindId(one) === kindId(kind));
  if (found === undefined) {
    throw new KubeError("InvalidArgument", `the plural of ${kindId(kind)} is not known`, {
      hint: "declare the kind with a descriptor, as the modules typekube/api/* have them, or pass its descriptor in descriptors",
    });
  }
  return found;
}
