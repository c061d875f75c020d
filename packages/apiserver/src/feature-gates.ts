/** Gates of kube-apiserver that change what is on the wire, under their own names. */
export interface FeatureGates {
  /** CBOR for bodies, answers, watches and apply. Alpha in 1.37, so the default is false. */
  readonly CBORServingAndStorage: boolean;
}

/** The gates as kube-apiserver 1.37 has them. */
export const defaultFeatureGates: FeatureGates = { CBORServingAndStorage: false };
