import { mayRun } from './files'

type Rules = Record<'createHTML' | 'createScriptURL', (text: string) => string | null>
const { trustedTypes } = globalThis as {
  trustedTypes?: { createPolicy(name: 'default', rules: Rules): void }
}

/**
 * What this page lets be written into it, where the browser asks (index.html says that it shall); what is refused is a
 * violation of the policy. Text that would run as a script has no rule, and is always refused.
 */
trustedTypes?.createPolicy('default', {
  // antd's style sheets pass, and an element that is emptied.
  createHTML: (text) => (text.includes('<') ? null : text),
  createScriptURL: (url) => (mayRun(url) ? url : null),
})
