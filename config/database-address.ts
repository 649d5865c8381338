/** Sessions that a server is looked for, as libpq calls them: any, one that takes writes, or one on a primary. */
export type Target = "any" | "read-write" | "primary";

/** One of the hosts of an address. */
export interface DatabaseHost {
  /** Name, IP address without brackets, or folder of a socket; "" when the address names none. */
  host: string;
  port: string;
  /** The address with this host alone, as pg, the driver, takes it. */
  url: string;
}

/** Parts of an address of PostgreSQL. docs/guides/high-availability.md#several-hosts */
export interface DatabaseAddress {
  /** At least one, in their order. */
  hosts: DatabaseHost[];
  target: Target;
  /** Longest time for connecting to one host; undefined when the address does not say. */
  connectMs: number | undefined;
  user: string;
  database: string;
}

/** Name or address of a host, and its port, "" when it is not said. */
type Written = Pick<DatabaseHost, "host" | "port">;

const TARGETS: readonly string[] = ["any", "read-write", "primary"] satisfies Target[];
const DEFAULT_PORT = "5432";
const PORT_MAX = 65_535;

/** Scheme, user and password with "@", list of hosts, path with "/", and query. */
const FORM = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#@]*)(\/[^?#]*)?(?:\?([^#]*))?$/i;
/** One host of the list, and its port. An IPv6 address is in brackets. */
const HOST = /^(?:\[([\da-f:.%]+)\]|([^[\]:\s]*))(?::(\d{1,5}))?$/i;

/** The parts of an address; undefined when they cannot be read. */
export function databaseAddress(text: string): DatabaseAddress | undefined {
  const [, scheme, credentials = "", list = "", path = "", query = ""] = FORM.exec(text) ?? [];
  if (scheme === undefined) return undefined;
  const parameters = new URLSearchParams(query);
  const written = hostsOf(list, parameters);
  if (written === undefined) return undefined;
  const others = query.split("&").filter((pair) => !/^(host|port)=|^$/.test(pair));
  const hosts = written.map(({ host, port }): DatabaseHost => {
    const own = [`host=${encodeURIComponent(host)}`, ...(port === "" ? [] : [`port=${port}`])];
    // The parameters replace the host before the path, which pg wants to be there all the same.
    const url = host === "" ? text : `${scheme}${credentials}host${path}?${[...others, ...own].join("&")}`;
    return { host, port: port || DEFAULT_PORT, url };
  });
  const user = parameters.get("user") ?? decoded(credentials.replace(/(:.*)?@$/s, ""));
  const seconds = Number(parameters.get("connect_timeout") ?? 0);
  return {
    hosts,
    target: targetOf(parameters.get("target_session_attrs"), hosts.length),
    connectMs: seconds > 0 ? seconds * 1000 : undefined,
    user,
    database: decoded(path.slice(1)) || user,
  };
}

/** Hosts with their ports, for messages. */
export function placesOf(hosts: readonly DatabaseHost[]): string {
  return hosts.map(({ host, port }) => `${host || "this machine"}, port ${port}`).join("; ");
}

/** Fault in the search for a host, in words behind "it"; null for none. */
export function faultOfSearch(parameters: URLSearchParams): string | null {
  const target = parameters.get("target_session_attrs");
  if (target !== null && !TARGETS.includes(target))
    return `has target_session_attrs=${target}, which is none of ${TARGETS.join(", ")}: the server needs a PostgreSQL that takes writes`;
  const balance = parameters.get("load_balance_hosts");
  if (balance !== null && balance !== "disable")
    return `has load_balance_hosts=${balance}, but all connections go to the one PostgreSQL that takes writes: leave it out`;
  const seconds = parameters.get("connect_timeout");
  if (seconds !== null && !/^\d{1,4}$/.test(seconds))
    return `has connect_timeout=${seconds}, which is not a whole number of seconds`;
  return null;
}

/** A server that takes no writes is of no use, so among several hosts one that takes them is looked for. */
function targetOf(asked: string | null, hosts: number): Target {
  const known = TARGETS.find((target) => target === asked) as Target | undefined;
  return known ?? (hosts > 1 ? "read-write" : "any");
}

/** The hosts of the list, or those of the parameters `host` and `port`, which take their place. */
function hostsOf(list: string, parameters: URLSearchParams): Written[] | undefined {
  const listed = list.split(",").map(readHost);
  if (!listed.every((one) => one !== undefined)) return undefined;
  const hosts = parameters.get("host")?.split(",") ?? listed.map(({ host }) => host);
  const ports = parameters.get("port")?.split(",") ?? listed.map(({ port }) => port);
  const areHosts = hosts.length === 1 || hosts.every((host) => host !== "");
  // One port is that of all hosts.
  const arePorts = ports.every(isPort) && (ports.length === 1 || ports.length === hosts.length);
  return areHosts && arePorts ? hosts.map((host, i) => ({ host, port: ports[i] ?? ports[0] ?? "" })) : undefined;
}

function readHost(text: string): Written | undefined {
  const [whole, address, name = "", port = ""] = HOST.exec(text) ?? [];
  return whole === undefined ? undefined : { host: address ?? decoded(name), port };
}

function isPort(text: string): boolean {
  return /^\d{0,5}$/.test(text) && Number(text) <= PORT_MAX;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
