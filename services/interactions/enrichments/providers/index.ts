import type { Env } from "../../../../config/env.ts";
import { httpProvider } from "./http.ts";
import type { Provider } from "./provider.ts";

/** The provider of a server without one. docs/guides/enrichment.md#providers */
const none: Provider = async () => ({
  failed: {
    code: "PROVIDER_NOT_CONFIGURED",
    message:
      "This server has no enrichment provider. The person who runs it can set ENRICHMENT_PROVIDER to http and ENRICHMENT_URL to its address.",
  },
});

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
