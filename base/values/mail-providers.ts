import providers from "email-providers/all.json" with { type: "json" };

/** Domains that the package leaves out. */
const MORE = ["aon.at", "chello.at", "fastmail.com", "gmx.ch", "hispeed.ch", "posteo.de", "tuta.com", "tutanota.com"];
/** A domain of examples, where nobody has a mailbox. The package has it. */
const NONE = "example.com";

const PROVIDERS: ReadonlySet<string> = new Set([...providers, ...MORE].filter((domain) => domain !== NONE));

/**
 * True for a domain at which anybody can have an e-mail address, so that it says nothing about its users.
 * @param domain in lower case
 */
export function isMailProvider(domain: string): boolean {
  return PROVIDERS.has(domain);
}
