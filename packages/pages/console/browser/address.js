// Addresses of views: #view/part/part?query. Views and records can be linked to, and the browser goes back through
// them. docs/guides/console.md#addresses

/** @typedef {{ view: string, parts: string[], query: string }} Address */

/** The address that the browser shows. @returns {Address} */
export function addressNow() {
  const [path = "", ...query] = location.hash.slice(1).split("?");
  const [view = "", ...parts] = path.split("/");
  return { view, parts: parts.map(decoded), query: query.join("?") };
}

/** @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    // A percent sign that encodes nothing stands for itself.
    return part;
  }
}

/**
 * The address of a view as a link.
 * @param {string} view @param {string[]} [parts] @param {string} [query]
 */
export function linkTo(view, parts = [], query = "") {
  const path = [view, ...parts.map(encodeURIComponent)].join("/");
  return `#${path}${query === "" ? "" : `?${query}`}`;
}

/** Opens an address, also the one that is open. @param {string} link */
export function goTo(link) {
  if (location.hash === link) dispatchEvent(new Event("hashchange"));
  else location.hash = link;
}

/** A query as an address shows it. @param {[name: string, value: string][]} pairs */
export function queryOf(pairs) {
  return pairs.map(([name, value]) => `${readable(name)}=${readable(value)}`).join("&");
}

/** Encoded as far as an address needs it: brackets and dots stay, so that people can read it. @param {string} text */
function readable(text) {
  return encodeURIComponent(text).replaceAll("%5B", "[").replaceAll("%5D", "]").replaceAll("%40", "@");
}

/**
 * Link to the page of a record.
 * @param {string} path of the record in the API: /v1/people/ID, or /v1/groups/ID/TYPE/ID
 */
export function recordLink(path) {
  const [, , list = "", ...rest] = path.split("/");
  return list === "groups" ? `#objects/${rest.join("/")}` : `#${list}/${rest.join("/")}`;
}

/** Views of records by the prefix of their ids. @type {Record<string, string>} */
const RECORD_VIEWS = { per: "people", com: "companies", obj: "objects" };

/**
 * Link to the page of something that a reference names; undefined for what has no page. An object is at the path of its
 * group and type, which references do not have: its page looks for it, in one group when that is known.
 * @param {{ id?: string }} reference @param {string | null} [groupId]
 */
export function referenceLink({ id = "" }, groupId = null) {
  const view = RECORD_VIEWS[id.slice(0, 3)];
  if (!view) return undefined;
  return linkTo(view, view === "objects" && groupId !== null ? [groupId, id] : [id]);
}
