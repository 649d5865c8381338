/** A file, or a part of an archive, that can be read more than once. */
export interface Source {
  name: string;
  /** Its size, for progress. */
  bytes: number;
  /** Content of the file, from its beginning at each call; `onBytes` gets the number of bytes read so far. */
  pieces(onBytes?: (bytes: number) => void): AsyncIterable<Buffer>;
}
