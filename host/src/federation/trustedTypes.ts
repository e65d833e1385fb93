import { mayRun } from './files'

type Rules = Record<'createHTML' | 'createScriptURL', (text: string) => string | null>
const { trustedTypes } = globalThis as {
  trustedTypes?: { createPolicy(name: 'default', rules: Rules): void }
}

/**
 * Defines what may be written into the document under Trusted Types, which index.html requests; violations are
 * reported. There is no rule for script text, so it is always refused.
 */
trustedTypes?.createPolicy('default', {
  // The policy allows antd's style sheets and the emptying of an element.
  createHTML: (text) => (text.includes('<') ? null : text),
  createScriptURL: (url) => (mayRun(url) ? url : null),
})
