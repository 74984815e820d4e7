/** Gathers bytes of several nodes into whole lines, so that their output can be mixed line by line. */
export interface LineSplitter {
  add(node: string, bytes: Uint8Array): void;
  /** Gives out what did not end with a line break. */
  flush(): void;
}

export function createLineSplitter(emit: (node: string, line: string) => void): LineSplitter {
  const partial = new Map<string, { readonly decoder: TextDecoder; text: string }>();
  return {
    add(node, bytes) {
      let state = partial.get(node);
      if (state === undefined) partial.set(node, (state = { decoder: new TextDecoder(), text: "" }));
      const lines = (state.text + state.decoder.decode(bytes, { stream: true })).split("\n");
      state.text = lines.pop() ?? "";
      for (const line of lines) emit(node, line);
    },
    flush() {
      for (const [node, { decoder, text }] of partial) {
        const rest = text + decoder.decode();
        if (rest !== "") emit(node, rest);
      }
      partial.clear();
    },
  };
}
