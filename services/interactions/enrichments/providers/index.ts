import type { Env } from "../../../../config/env.ts";
import { httpProvider } from "./http.ts";
import { none } from "./none.ts";
import type { Provider } from "./provider.ts";

/** Value of ENRICHMENT_PROVIDER → the provider. */
const PROVIDERS: Record<Env["enrichmentProvider"], (env: Env) => Provider> = {
  none: () => none,
  http: ({ enrichmentUrl, enrichmentToken }) => {
    // config/env.ts has refused a start without it.
    if (enrichmentUrl === undefined) throw new Error("ENRICHMENT_URL is not set");
    return httpProvider({ url: enrichmentUrl, token: enrichmentToken });
  },
};

/** The provider that the environment names. */
export function providerOf(env: Env): Provider {
  return PROVIDERS[env.enrichmentProvider](env);
}
