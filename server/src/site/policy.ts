type Sources = { apiBase: string; dev: boolean }

/** What the page may load and run. antd writes its styles with the nonce; scripts are files of ours, by address. */
export function policy(nonce: string, { apiBase, dev }: Sources) {
  const api = apiBase && new URL(apiBase).origin
  // A developer's own machine, only for who may and asked for it (docs/federation.md, override).
  const local = dev ? ['http://localhost:*', 'ws://localhost:*'] : []
  const rules: Record<string, string[]> = {
    'default-src': ["'self'"],
    'script-src': ["'self'", ...local],
    'style-src': ["'self'", `'nonce-${nonce}'`, ...local],
    'img-src': ["'self'", 'data:', 'blob:', ...(api ? [api] : []), ...local],
    'connect-src': ["'self'", ...(api ? [api, api.replace(/^http/, 'ws')] : []), ...local],
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

/** What no screen asks for, so that no script that gets in can: a wall of lights fills the screen and keeps it awake, no more. */
export const withheld = [
  ...['camera', 'geolocation', 'midi', 'payment', 'serial', 'usb'].map(
    (feature) => `${feature}=()`,
  ),
  // Commands are spoken.
  'microphone=(self)',
].join(', ')
