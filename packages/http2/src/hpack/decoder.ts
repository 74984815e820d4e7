import { errorCodes } from "../constants.ts";
import { Http2Error } from "../errors.ts";
import { Field } from "../field.ts";
import { DynamicTable } from "./dynamic-table.ts";
import { huffmanDecode } from "./huffman.ts";
import { IntegerReader } from "./integer.ts";
import { staticTable } from "./static-table.ts";

/** Decodes header blocks of one connection; the blocks must come in order and whole. */
export class HpackDecoder {
  readonly #limitBytes: number;
  readonly #table: DynamicTable;

  /** @param tableBytes SETTINGS_HEADER_TABLE_SIZE of this side */
  constructor(tableBytes = 4096) {
    this.#limitBytes = tableBytes;
    this.#table = new DynamicTable(tableBytes);
  }

  /** Bytes held by the dynamic table. */
  get tableBytes(): number {
    return this.#table.bytes;
  }

  /**
   * Hands every field of the block to `accept`.
   *
   * @throws {Http2Error} COMPRESSION_ERROR; the decoder cannot be used any more.
   */
  decode(block: Buffer, accept: (field: Field) => void): void {
    const reader = new IntegerReader(block);
    let resizable = true;
    while (reader.offset < block.length) {
      const first = block[reader.offset] as number;
      if (first >= 0x80) {
        accept(this.#at(reader.read(7)));
      } else if (first >= 0x40) {
        const field = this.#literal(reader, 6);
        this.#table.insert(field);
        accept(field);
      } else if (first >= 0x20) {
        if (!resizable) throw bad("the table size changes inside a block");
        this.#resize(reader.read(5));
        continue;
      } else {
        accept(this.#literal(reader, 4));
      }
      resizable = false;
    }
  }

  #literal(reader: IntegerReader, prefixBits: number): Field {
    const index = reader.read(prefixBits);
    const name = index === 0 ? this.#text(reader) : this.#at(index).name;
    return new Field(name, this.#text(reader));
  }

  #text(reader: IntegerReader): string {
    const huffman = ((reader.bytes[reader.offset] ?? 0) & 0x80) !== 0;
    const length = reader.read(7);
    const start = reader.offset;
    const end = start + length;
    if (end > reader.bytes.length) throw bad("it ends inside a string");
    reader.offset = end;
    return huffman ? huffmanDecode(reader.bytes, start, end) : reader.bytes.toString("latin1", start, end);
  }

  #at(index: number): Field {
    const field = index <= staticTable.length ? staticTable[index - 1] : this.#table.at(index - staticTable.length - 1);
    if (field === undefined) throw bad(`there is no entry ${String(index)} in the tables`);
    return field;
  }

  #resize(bytes: number): void {
    if (bytes > this.#limitBytes) {
      throw bad(`a table of ${String(bytes)} bytes is wanted, ${String(this.#limitBytes)} are allowed`);
    }
    this.#table.resize(bytes);
  }
}

function bad(why: string): Http2Error {
  return new Http2Error(errorCodes.compressionError, `Cannot decode a header block: ${why}`);
}
