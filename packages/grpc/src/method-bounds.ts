/** Bounds of the requests of a method. */
export interface MethodBounds {
  /** Largest request message, in bytes. @default the server's */
  readonly maxReceiveBytes?: number;
  /** Fields that a request message may have, those of messages inside it included. @default unbounded */
  readonly maxFields?: number;
}
