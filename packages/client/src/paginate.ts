import type { FetchOptions } from "openapi-fetch";
import type { OptionsArgument } from "./call.ts";
import type { ContactWorkspaceClient } from "./client.ts";
import type { paths } from "./generated/schema.ts";
import { unwrap } from "./unwrap.ts";

type Body<Operation> = Operation extends { responses: { 200: { content: { "application/json": infer Json } } } }
  ? Json
  : never;

interface AnyPage {
  items: unknown[];
  pagination: { nextLink?: string };
}

/** Paths of lists that are read by GET. */
export type ListPath = {
  [Path in keyof paths]: paths[Path] extends { get: infer Get }
    ? Get extends { responses: { 200: { content: { "application/json": { data: AnyPage } } } } }
      ? Path
      : never
    : never;
}[keyof paths];

/** Paths of lists whose filters stand in the body of a POST. docs/guides/filters.md#search */
export type SearchPath = Extract<keyof paths, `${string}/search`>;

type OperationOf<Path extends ListPath | SearchPath> = Path extends SearchPath
  ? NonNullable<paths[Path]["post"]>
  : NonNullable<paths[Path]["get"]>;

/** A page of a list: its entries, and what stands beside them. */
export type PageOf<Path extends ListPath | SearchPath> = Extract<Body<OperationOf<Path>>, { data: AnyPage }>["data"];

export type EntryOf<Path extends ListPath | SearchPath> = PageOf<Path>["items"][number];

/** Parameters, the body of a search, and a signal. */
type Options<Operation> = Pick<FetchOptions<Operation>, keyof FetchOptions<Operation> & ("params" | "body" | "signal")>;

/** A list that is read page by page, each page when its first entry is asked for. */
export interface Paginated<Path extends ListPath | SearchPath> extends AsyncIterable<EntryOf<Path>> {
  pages(): AsyncIterable<PageOf<Path>>;
}

/**
 * All entries of a list. Each iteration reads the list anew.
 * The iteration throws a ContactWorkspaceError when a page cannot be read, and an Error when the server's links lead to
 * another address than the client's.
 */
export function paginate<Path extends ListPath | SearchPath>(
  client: ContactWorkspaceClient,
  path: Path,
  ...[options]: OptionsArgument<Options<OperationOf<Path>>>
): Paginated<Path> {
  const pages = () => pagesOf(client, path, options ?? {}) as AsyncIterable<PageOf<Path>>;
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { items } of pages()) yield* items;
    },
  };
}

interface AnyOptions {
  params?: { header?: object };
}

/** A call for any path, also for one that no type knows: a link of the server. */
type AnyCall = (
  path: string,
  options: AnyOptions,
) => Promise<{ data?: { data: AnyPage }; error?: unknown; response: Response }>;

async function* pagesOf(client: ContactWorkspaceClient, path: string, options: AnyOptions): AsyncIterable<AnyPage> {
  const call = (path.endsWith("/search") ? client.POST : client.GET) as AnyCall;
  let page = await unwrap(call(path, options));
  yield page;
  // The link has the parameters of the path and of the query in it.
  const following = { ...options, params: { ...(options.params?.header && { header: options.params.header }) } };
  while (page.pagination.nextLink !== undefined) {
    page = await unwrap(call(pathIn(page.pagination.nextLink, client.baseUrl), following));
    yield page;
  }
}

/**
 * The path and query of a link, behind the address of the server. The API key is for this address only, so a link to
 * another one is not followed. docs/guides/lists.md#pages
 */
function pathIn(nextLink: string, baseUrl: string): string {
  const link = new URL(nextLink).href;
  if (link.startsWith(`${baseUrl}/`)) return link.slice(baseUrl.length);
  throw new Error(
    `The link to the next page begins with ${new URL(link).origin}, and the client was made for ${baseUrl}. Links begin with PUBLIC_URL of the server: it must be the address that clients use, and their baseUrl.`,
  );
}
