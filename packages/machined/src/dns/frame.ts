/** A message as it travels on a connection: its length in two bytes, then itself. */
export function frame(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length, 0);
  return Buffer.concat([length, message]);
}

/** Cuts a stream of bytes into messages; each call gives those that a chunk completed. */
export function createFrameReader(): (chunk: Buffer) => readonly Buffer[] {
  let pending: Buffer = Buffer.alloc(0);
  return (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    const messages: Buffer[] = [];
    while (pending.length >= 2) {
      const end = 2 + pending.readUInt16BE(0);
      if (pending.length < end) break;
      messages.push(pending.subarray(2, end));
      pending = pending.subarray(end);
    }
    return messages;
  };
}
