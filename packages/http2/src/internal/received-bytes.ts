let kept = false;

/** Tells that somebody keeps bytes of the chunk that is being received, so that its memory must not be read into again. */
export function keepReceived(): void {
  kept = true;
}

/** Hands a received chunk on. Returns whether a part of it is still in use afterwards. */
export function lendReceived(receive: (chunk: Buffer) => void, chunk: Buffer): boolean {
  kept = false;
  receive(chunk);
  return kept;
}
