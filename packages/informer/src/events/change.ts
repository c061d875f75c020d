import type { KubeObject, Live } from "@typekube/api";

/** A change of one object, as seen through a cache. */
export type Change<T extends KubeObject = KubeObject> =
  | {
      readonly type: "add";
      readonly key: string;
      readonly object: Live<T>;
      /** `true` for objects that existed when the subscriber started; `false` for later additions. */
      readonly initial: boolean;
      /** `true` when the object was not created: it belonged to a shard that another worker has followed. (`reshard`) */
      readonly moved?: true | undefined;
    }
  | {
      readonly type: "update";
      readonly key: string;
      readonly object: Live<T>;
      readonly previous: Live<T>;
    }
  /** The object was deleted and recreated under the same name, and both are seen as one change: the uid differs. */
  | {
      readonly type: "replaced";
      readonly key: string;
      readonly object: Live<T>;
      readonly previous: Live<T>;
    }
  | {
      readonly type: "delete";
      readonly key: string;
      /** The final state; the last known one when the deletion itself was missed. */
      readonly object: Live<T>;
      /** The state that was delivered last. */
      readonly previous: Live<T>;
      readonly finalStateUnknown: boolean;
      /**
       * `true` when the object was not deleted: it belongs to a shard that another worker follows from now on.
       * (`reshard`)
       */
      readonly moved?: true | undefined;
    };
