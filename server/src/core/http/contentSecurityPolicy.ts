type PolicyOptions = { apiBase: string; dev: boolean }

/**
 * Builds the content security policy of the page. antd marks its styles with the nonce; scripts are allowed by their
 * address on this site only.
 */
export function buildContentPolicy(nonce: string, { apiBase, dev }: PolicyOptions) {
  const api = apiBase && new URL(apiBase).origin
  // Code from a developer's machine is allowed only for a user who may try it and has asked for it
  // (docs/federation.md, override).
  const developerSources = dev ? ['http://localhost:*', 'ws://localhost:*'] : []
  const rules: Record<string, string[]> = {
    'default-src': ["'self'"],
    'script-src': ["'self'", ...developerSources],
    'style-src': ["'self'", `'nonce-${nonce}'`, ...developerSources],
    'img-src': ["'self'", 'data:', 'blob:', ...(api ? [api] : []), ...developerSources],
    'connect-src': [
      "'self'",
      ...(api ? [api, api.replace(/^http/, 'ws')] : []),
      ...developerSources,
    ],
    'font-src': ["'self'", 'data:'],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'self'"],
  }
  return Object.entries(rules)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ')
}

/**
 * Browser features that no screen uses are switched off, so that an injected script cannot use them. Full screen and
 * wake lock stay allowed, because the light wall uses them.
 */
export const permissionsPolicy = [
  ...['camera', 'geolocation', 'midi', 'payment', 'serial', 'usb'].map(
    (feature) => `${feature}=()`,
  ),
  // The microphone is allowed because operators can speak commands.
  'microphone=(self)',
].join(', ')
