/** A file, or a part of an archive, that can be read more than once. */
export interface Source {
  name: string;
  /** Its size, for progress. */
  bytes: number;
  /** What it holds, from its beginning each time; `onBytes` hears how far it is. */
  pieces(onBytes?: (bytes: number) => void): AsyncIterable<Buffer>;
}
