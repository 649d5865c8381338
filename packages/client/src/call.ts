import type { Client, ClientPathsWithMethod, FetchOptions, FetchResponse, ParseAs } from "openapi-fetch";
import type { paths } from "./generated/schema.ts";
import type { HeaderOptions } from "./headers.ts";

export type Method = "get" | "post" | "patch" | "delete";

/** Paths that have an operation of a method. */
export type PathWith<M extends Method> = ClientPathsWithMethod<Client<paths>, M>;

/** The last argument of a function, which may be left out when nothing in it is required. */
export type OptionsArgument<Options> = Partial<Options> extends Options ? [options?: Options] : [options: Options];

/**
 * A call of openapi-fetch. Its own type infers the options from the argument, so that a misspelt member of a body or a
 * filter would compile. The server refuses unknown members, and so does this type.
 */
export type Call<M extends Method> = <Path extends PathWith<M>, As extends ParseAs = "json">(
  path: Path,
  ...options: OptionsArgument<
    FetchOptions<paths[Path][M]> & HeaderOptions<NonNullable<paths[Path][M]>> & { parseAs?: As }
  >
) => Promise<FetchResponse<NonNullable<paths[Path][M]>, { parseAs: As }, "application/json"> & AnswerHeaders>;

/** Headers of an answer that later calls need. */
export interface AnswerHeaders {
  /** Version of the record, for `ifMatch`; undefined for answers without one record. docs/guides/versions.md */
  etag: string | undefined;
  /** Id by which an undo, the history and the log of the server name the request. docs/guides/history-and-undo.md */
  requestId: string | undefined;
}
