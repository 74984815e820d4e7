/** A part of long work that may be repeated: what it finds done it leaves alone. */
export interface Step {
  /** Action and its node, as in `kube-apiserver on 10.5.0.2`. */
  readonly name: string;
  run(): Promise<void>;
}
