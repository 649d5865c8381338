import type { Exchange } from "../connection/exchange.ts";
import { parseQuery } from "../operation/query-string.ts";

/** The characters that Node takes in a request line and that no URI may have, brackets above all: RFC 3986. */
const NOT_OF_A_URI = /[^\w\-.~!$&'()*+,;=:@/?%]/g;

/**
 * The link to the next page: absolute, from PUBLIC_URL and never from the Host header, with every parameter of the request
 * as it was sent. docs/guides/filters.md#pages
 */
export function nextLink(publicUrl: string, { path, query }: Exchange, cursor: string): string {
  const others = parseQuery(query).filter(({ name }) => name !== "cursor");
  const relative = `${path}?${[...others.map(({ raw }) => raw), `cursor=${cursor}`].join("&")}`;
  return publicUrl + relative.replaceAll(NOT_OF_A_URI, encodeURIComponent);
}
