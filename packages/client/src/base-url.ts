/** The end that addresses of the API have, which the paths of calls begin with. */
const VERSION = /\/v1$/;

/**
 * Address of the server, without `/v1` and slashes at the end: paths of calls begin with `/v1` themselves.
 * @throws TypeError for what is no address of a server
 */
export function serverAddress(given: string): string {
  const text = given.trim();
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:\/\//i.test(text))
    throw refused(given, "is no absolute address: begin it with https:// or http://");
  if (url.search || url.hash || /[?#]/.test(text)) throw refused(given, "has a query or a fragment: leave it out");
  if (url.username || url.password) throw refused(given, "has a user or a password: give the key as apiKey");
  return url.href.replace(/\/+$/, "").replace(VERSION, "").replace(/\/+$/, "");
}

function refused(given: string, why: string): TypeError {
  const shown = given.replace(/\/\/[^/@]*@/, "//…@");
  return new TypeError(`baseUrl, ${JSON.stringify(shown)}, ${why}, as in "https://contacts.example.com".`);
}
